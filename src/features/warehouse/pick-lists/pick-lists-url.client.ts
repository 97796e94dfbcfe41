/** What the address of the pick lists screen holds. */
import { type UrlValues, urlChoice, urlChoices, urlNumber, urlNumbers, urlText } from '#ui/kit/url-fields.ts'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { listSorts, listStates, listTypes } from './pick-lists.codes.ts'

export const PickListsUrl = {
  tab: urlChoice(['lists', 'new', 'wagons'], 'lists'),
  query: urlText(),
  state: urlChoices(listStates),
  type: urlChoices(listTypes),
  sort: urlChoice(listSorts, 'newest'),
  page: urlNumber(1),
  /** The open list, and the wagon of it that is looked at. */
  id: urlNumber(0),
  wagon: urlNumber(0),
  /** For a new list: just these orders. */
  orders: urlNumbers(1),
}
export type PickListsUrl = UrlValues<typeof PickListsUrl>
export interface ListProps {
  url: PickListsUrl
  setUrl: SetUrl<typeof PickListsUrl>
  urlWith: UrlWith<typeof PickListsUrl>
}
