import { enableSkipLink } from '../ui/skip.ts'

enableSkipLink()
