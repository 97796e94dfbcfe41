/** Labels of the states of a result: English, the translation keys. */
import type { ResultRow } from './map-results.schemas.ts'

export const resultStateLabels: Record<ResultRow['state'], string> = {
  computing: 'Being computed',
  ready: 'Ready',
  active: 'Active',
  superseded: 'Was active',
  failed: 'Failed',
}
