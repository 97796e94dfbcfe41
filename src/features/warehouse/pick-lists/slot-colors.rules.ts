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

/** The same colours as labels on screens: the ground, and the ink that is read on it. */
export const slotLabel: Record<SlotColour, { ground: string; ink: string }> = {
  red: { ground: '#b3261e', ink: '#ffffff' },
  orange: { ground: '#f08c1a', ink: '#1c1408' },
  yellow: { ground: '#f7d31c', ink: '#1c1805' },
  green: { ground: '#23703a', ink: '#ffffff' },
  teal: { ground: '#0b6f74', ink: '#ffffff' },
  blue: { ground: '#1d4fa8', ink: '#ffffff' },
  violet: { ground: '#6a35a5', ink: '#ffffff' },
  pink: { ground: '#f49ac1', ink: '#2a0d1a' },
  brown: { ground: '#6e4523', ink: '#ffffff' },
  white: { ground: '#ffffff', ink: '#14191d' },
  gray: { ground: '#6b7278', ink: '#ffffff' },
  black: { ground: '#14191d', ink: '#ffffff' },
}
