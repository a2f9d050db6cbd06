import { startService } from '../support/service.ts'
import { localContract } from './local.ts'

localContract('one machine', startService)
