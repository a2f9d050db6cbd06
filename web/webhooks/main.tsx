import { mount } from '../ui/mount.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

mount(WebhooksPage)
