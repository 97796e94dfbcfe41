/** What can be done with the chosen rows: how many they are, the actions, and a way out. */
import { Button } from '@mantine/core'
import type { ReactNode, SyntheticEvent } from 'react'
import style from './ActionBar.module.css'
import { number } from './format.ts'
import type { ListState, Selection } from './list-state.ts'
import { useT } from './translate.ts'

export interface ActionBarProps {
  selection: Selection
  list: ListState<unknown>
  /** The action can be done to everything that matches, not only to keys. */
  canTakeAll?: boolean
  /** Buttons; the first is the usual one. */
  children: ReactNode
}

export function ActionBar({ selection, list, canTakeAll, children }: ActionBarProps) {
  const t = useT()
  const count = selection.count(list.total)
  if (count === 0) return null
  const wholePage = !selection.all && count >= list.rows.length && (list.total > list.rows.length || list.totalIsMore)
  // The bar goes away with the choice: the rows get the focus.
  const clear = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    currentTarget.closest('[role=toolbar]')?.parentElement?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
    selection.clear()
  }
  return (
    <div
      className={style.bar}
      role="toolbar"
      aria-label={t('With the selected rows')}
      onKeyDown={event => {
        // Escape in a menu or a dialog of the bar closes that.
        if (event.key === 'Escape' && event.target instanceof Node && event.currentTarget.contains(event.target)) clear(event)
      }}
    >
      <span className={style.count} role="status">
        {selection.all && list.totalIsMore ? t('All that match are selected') : t('{{count}} selected', { count })}
      </span>
      {canTakeAll && wholePage ? (
        <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
          {list.totalIsMore ? t('Select all that match') : t('Select all {{total}}', { total: number(list.total) })}
        </Button>
      ) : null}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        {t('Clear selection')}
      </Button>
      <div className={style.actions}>{children}</div>
    </div>
  )
}
