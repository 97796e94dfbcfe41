/** Words for the codes of additional products. */
import type { AdditionState, SkipReason } from './additional-products.codes.ts'

export const additionStateLabels: Record<AdditionState, string> = {
  planned: 'Not packed yet',
  packed: 'Packed',
  skipped: 'Left out',
  blocked: 'Not added',
  released: 'No longer added',
}

export const skipLabels: Record<SkipReason, string> = {
  missing: 'Not available',
  damaged: 'Damaged',
  left_out: 'Left out on purpose',
}
