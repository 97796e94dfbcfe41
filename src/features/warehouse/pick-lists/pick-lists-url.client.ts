/** What the address of the pick lists screen holds. */
import * as z from 'zod'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { listSorts, listStates, listTypes } from './pick-lists.codes.ts'

export const PickListsUrl = z.object({
  tab: z.enum(['lists', 'new', 'wagons']).default('lists'),
  query: z.string().default(''),
  state: z.array(z.enum(listStates)).default([]),
  type: z.array(z.enum(listTypes)).default([]),
  sort: z.enum(listSorts).default('newest'),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open list, and the wagon of it that is looked at. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
  wagon: z.coerce.number<unknown>().int().min(0).default(0),
  /** For a new list: just these orders. */
  orders: z.array(z.coerce.number<unknown>().int().positive()).default([]),
})
export type PickListsUrl = z.output<typeof PickListsUrl>
export interface ListProps {
  url: PickListsUrl
  setUrl: SetUrl<typeof PickListsUrl>
  urlWith: UrlWith<typeof PickListsUrl>
}
