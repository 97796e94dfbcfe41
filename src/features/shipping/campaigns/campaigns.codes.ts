/** Codes, limits and words of campaigns that screens and schemas share. */

export const campaignStates = ['draft', 'scheduled', 'active', 'paused', 'ended'] as const
export type CampaignState = (typeof campaignStates)[number]

export const campaignVariants = ['a', 'b'] as const
export type CampaignVariant = (typeof campaignVariants)[number]

export const campaignSorts = [
  ...['title', '-title', 'from', '-from', 'priority', '-priority', 'shown', '-shown', 'clicked', '-clicked', 'changed', '-changed'],
] as const

/** Campaigns of a company that have not ended. */
export const mostCampaigns = 100
export const longestLink = 500
/** Characters of the words beside a picture: what fits a phone. */
export const contentLimits = { headline: 60, text: 160, button: 22, alt: 120 } as const

/** The sizes of a picture; the page chooses by the width of the screen. */
export const pictureSizes = [
  [1400, 600],
  [700, 300],
] as const
export const mostPictureBytes = 150_000

export const previewMinutes = 30
/** Days for which is kept which order saw a campaign; totals stay. */
export const viewDays = 60

export const campaignWords = {
  dates: 'The end is before the start.',
  link: 'Write the address with https:// or http://.',
  incomplete: 'Add an image and alt text for {{language}}.',
  stages: 'Choose at least one stage.',
  locales: 'Choose at least one language.',
} as const
