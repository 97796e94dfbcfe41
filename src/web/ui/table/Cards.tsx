/** The rows of a list on a phone. */
import type { ReactNode } from 'react'
import { useT } from '#web/translate.ts'
import style from '#web/ui/DataTable.module.css'
import type { DataTableProps } from '#web/ui/DataTable.tsx'

export function Cards<R>({ list, keyOf, card, open, selection }: DataTableProps<R> & { card: (row: R) => ReactNode }) {
  const t = useT()
  return (
    <div className={style.scroller}>
      <ul className={style.cards}>
        {list.rows.map((row, place) => {
          const key = keyOf(row)
          return (
            <li key={key} className={selection?.has(key) ? style.selected : ''}>
              {selection ? (
                <div className={style.check}>
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t('Select row {{row}}', { row: place + 1 })}
                      checked={selection.has(key)}
                      onChange={event => selection.set([key], event.currentTarget.checked)}
                    />
                  </label>
                </div>
              ) : null}
              <button type="button" onClick={() => open?.(row)}>
                {card(row)}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
