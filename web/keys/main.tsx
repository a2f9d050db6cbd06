import { mount } from '../ui/mount.tsx'
import { KeysPage } from './keys-page.tsx'

mount(KeysPage)
