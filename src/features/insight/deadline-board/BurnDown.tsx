/** What is left of a pickup against time: as a chart or the same numbers as a table, and as a file. */
import { Button, SegmentedControl } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { number, time } from '#ui/kit/format.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { tableFile } from '#ui/kit/table-file.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile } from '#ui/query/calls.ts'
import style from './BurnDown.module.css'
import { paceWords } from './board-words.client.ts'
import { burnDownRows } from './burn-down.rules.ts'
import type { BoardRow, BurnDown as Lines } from './deadline-board.schemas.ts'

const BurnDownChart = lazy(() => import('./BurnDownChart.tsx'))
const views = ['chart', 'table'] as const

export function BurnDown({ row, of: lines, due }: { row: BoardRow; of: Lines; due: number }) {
  const t = useT()
  const [view, setView] = useState<(typeof views)[number]>('chart')
  const words = paceWords(lines)
  const header = [t('Time'), t('Left'), t('Even pace'), t('Forecast')]
  const rows = burnDownRows(lines)
  const cell = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value))
  const cells = rows.map(one => [time(one.at), cell(one.left), cell(one.needed), cell(one.forecast)])
  const save = async () => saveFile(await tableFile(`burn-down-${row.name}`, header, cells, 'csv'))
  return (
    <figure className={style.burnDown} data-size="desk">
      <figcaption>
        <span className={style.words}>{words}</span>
        <SegmentedControl
          size="xs"
          aria-label={t('Left until the pickup')}
          value={view}
          onChange={next => setView(isOneOf(views, next) ? next : 'chart')}
          data={[
            { value: 'chart', label: t('Chart') },
            { value: 'table', label: t('Table') },
          ]}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={16} />}
          onClick={() => void save().catch(toastError)}
          aria-label={`CSV: ${row.name}`}
        >
          CSV
        </Button>
      </figcaption>
      {view === 'chart' ? (
        <>
          <Legend />
          <div className={style.chart} role="img" aria-label={`${row.name}: ${words}`}>
            <Suspense fallback={<Skeleton shape="rows" rows={3} />}>
              <BurnDownChart of={lines} due={due} size="desk" />
            </Suspense>
          </div>
        </>
      ) : (
        // The rows scroll: the region takes the focus for the arrow keys.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className={style.table} tabIndex={0} aria-label={`${t('Left until the pickup')}: ${row.name}`}>
          <table>
            <thead>
              <tr>
                {header.map(title => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cells.map(([at, ...counts], place) => (
                <tr key={rows[place]?.at}>
                  <th scope="row">{at}</th>
                  {counts.map((count, column) => (
                    <td key={header[column + 1]}>{typeof count === 'number' ? number(count) : '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </figure>
  )
}

/** The same chart on a television. */
export function TelevisionBurnDown({ row, of: lines, due, words }: { row: BoardRow; of: Lines; due: number; words: string }) {
  return (
    <figure className={style.burnDown} data-size="television">
      <figcaption>
        <span className={style.words}>{words === '' ? `${row.name} ${time(due)}` : words}</span>
        <Legend />
      </figcaption>
      <div className={style.chart} role="img" aria-label={`${row.name}: ${paceWords(lines)}`}>
        <Suspense>
          <BurnDownChart of={lines} due={due} size="television" />
        </Suspense>
      </div>
    </figure>
  )
}

function Legend() {
  const t = useT()
  return (
    <ul className={style.legend}>
      <li data-series="left">{t('Left')}</li>
      <li data-series="needed">{t('Even pace')}</li>
      <li data-series="forecast">{t('Forecast')}</li>
    </ul>
  )
}
