/** All parts of `npm run test:operations`, in the order in which they run. */
import { artefact } from './artefact.ts'
import { backup } from './backup.ts'
import { cupsPart } from './cups.ts'
import type { Part } from './harness.ts'
import { interruption } from './interruption.ts'
import { lockedOut } from './locked-out.ts'
import { metrics } from './metrics.ts'
import { moment } from './moment.ts'
import { pgbouncer } from './pgbouncer.ts'
import { proxy } from './proxy.ts'
import { servers } from './servers.ts'
import { service } from './service.ts'
import { upgrade } from './upgrade.ts'

export const parts: readonly Part[] = [
  artefact,
  service,
  proxy,
  lockedOut,
  backup,
  interruption,
  moment,
  pgbouncer,
  servers,
  metrics,
  cupsPart,
  upgrade,
]
