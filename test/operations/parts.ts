/** All parts of `npm run test:operations`, in the order in which they run. */
import { artefact } from './artefact.ts'
import type { Part } from './harness.ts'

export const parts: readonly Part[] = [artefact]
