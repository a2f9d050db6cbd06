import { mount } from '../ui/mount.tsx'
import { DocsPage } from './docs-page.tsx'

mount(DocsPage)
