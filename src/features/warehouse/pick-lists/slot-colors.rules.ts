/** Colours of slots on paper and on screens. The number of a slot always stands beside its colour. */
import type { SlotColour } from './pick-lists.schemas.ts'

export const colourInk: Record<SlotColour, string> = {
  red: '#c93a32',
  orange: '#e07b1a',
  yellow: '#e8c21d',
  green: '#3f9a45',
  teal: '#1f9e97',
  blue: '#2f6fc4',
  violet: '#7d4fc0',
  pink: '#d8579b',
  brown: '#8a5a35',
  white: '#f4f4f0',
  gray: '#8d8f91',
  black: '#222426',
}
