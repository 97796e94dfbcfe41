/** The caches of the server by name, and how long an entry is believed. */

export const cacheNames = [
  'people',
  'addresses',
  'list_totals',
  'import_settings',
  'maps',
  'pictures',
  'holidays',
  'languages',
  'video_space',
] as const
export type CacheName = (typeof cacheNames)[number]

/** Seconds that an entry is believed; null: each use compares it with its source. */
export const lifetimes: Readonly<Record<CacheName, number | null>> = {
  people: 3,
  addresses: null,
  list_totals: 5,
  import_settings: null,
  maps: null,
  pictures: null,
  holidays: 86_400,
  languages: null,
  video_space: 5,
}
