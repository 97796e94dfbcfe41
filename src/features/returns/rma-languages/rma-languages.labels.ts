/** Words for pictures and texts of the return portal. */
import type { RmaTarget } from './rma-languages.codes.ts'

export const targetLabels: Record<RmaTarget, string> = {
  logo: 'Logo',
  header: 'Header image',
  background: 'Background image',
}
export const targetHelp: Record<RmaTarget, string> = {
  logo: 'Without one the company’s logo is shown.',
  header: 'Above the form, 1600 × 400 pixels or larger.',
  background: 'Behind the form on wide screens.',
}
