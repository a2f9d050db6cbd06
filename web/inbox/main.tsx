import { mount } from '../ui/mount.tsx'
import { InboxPage } from './inbox-page.tsx'

mount(InboxPage)
