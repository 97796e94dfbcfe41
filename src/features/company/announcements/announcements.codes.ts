/** Kinds, states and words of announcements. */

export const announcementModes = ['info', 'must_agree'] as const
export type AnnouncementMode = (typeof announcementModes)[number]

/** What a published announcement is at a moment: planned before its period, shown in it, ended after it. */
export const announcementPhases = ['draft', 'planned', 'shown', 'ended', 'withdrawn'] as const
export type AnnouncementPhase = (typeof announcementPhases)[number]

export const announcementSorts = ['-changed', 'changed', 'title', '-title', 'from', '-from'] as const

export const readerStates = ['waiting', 'agreed'] as const

export const longestTitle = 120
export const longestBody = 20_000

/** Minutes between two reminders of one announcement: a button pressed twice sends one mail. */
export const reminderPause = 60

export const announcementWords = {
  title: 'Enter a title',
  body: 'Enter the text',
  audience: 'Choose groups or people, or everyone',
  period: 'The end is before the start',
} as const
