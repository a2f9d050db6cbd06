import { httpContract } from '../http/suite.ts'
import { startDeployedHost } from './deployed-host.ts'

httpContract('the stack, deployed to an emulator', startDeployedHost)
