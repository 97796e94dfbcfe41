/** What the address of the collect lists screen holds. */
import { type UrlValues, urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { collectStates } from './collect-lists.codes.ts'

export const tabs = ['today', 'lists', 'cages'] as const

export const CollectUrl = {
  tab: urlChoice(tabs, 'today'),
  query: urlText(),
  state: urlChoice(['', ...collectStates], ''),
  courier: urlText(),
  day: urlText(),
  sort: urlChoice(['-id', 'id', '-cut_off_at', 'cut_off_at', '-handed_over_at', 'handed_over_at'], '-id'),
  page: urlNumber(1),
  /** The open list. */
  id: urlNumber(0),
  /** Which of its parcels are shown. */
  show: urlChoice(['all', 'scanned', 'missing', 'over'], 'all'),
}
export type CollectUrl = UrlValues<typeof CollectUrl>
export interface CollectProps {
  url: CollectUrl
  setUrl: SetUrl<typeof CollectUrl>
  urlWith: UrlWith<typeof CollectUrl>
}
