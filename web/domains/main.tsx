import { mount } from '../ui/mount.tsx'
import { DomainsPage } from './domains-page.tsx'

mount(DomainsPage)
