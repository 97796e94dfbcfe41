/** Words for the codes of additional products. */
import type { AdditionFrequency, AdditionHandling, AdditionState, SkipReason } from './additional-products.codes.ts'

export const frequencyLabels: Record<AdditionFrequency, string> = {
  order: 'Once for each order',
  customer: 'Once for each customer',
}

export const handlingLabels: Record<AdditionHandling, string> = {
  show: 'The station only shows it',
  confirm: 'The packer confirms it',
  scan: 'The packer scans it',
}

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
