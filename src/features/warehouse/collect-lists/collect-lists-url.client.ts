/** What the address of the collect lists screen holds. */
import * as z from 'zod'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { collectStates } from './collect-lists.codes.ts'

export const tabs = ['today', 'lists', 'cages'] as const

export const CollectUrl = z.object({
  tab: z.enum(tabs).default('today'),
  query: z.string().default(''),
  state: z.enum(['', ...collectStates]).default(''),
  courier: z.string().default(''),
  day: z.string().default(''),
  sort: z.enum(['-id', 'id', '-cut_off_at', 'cut_off_at', '-handed_over_at', 'handed_over_at']).default('-id'),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open list. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
  /** Which of its parcels are shown. */
  show: z.enum(['all', 'scanned', 'missing', 'over']).default('all'),
})
export type CollectUrl = z.output<typeof CollectUrl>
export interface CollectProps {
  url: CollectUrl
  setUrl: SetUrl<typeof CollectUrl>
  urlWith: UrlWith<typeof CollectUrl>
}
