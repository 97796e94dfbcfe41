/** What is wrong with the map, worst first; each entry leads to its place. */
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Drawing } from '#features/warehouse/warehouse-maps/drawing.schemas.ts'
import { listedFindings, warehouseMapsOwn } from '#features/warehouse/warehouse-maps/warehouse-maps.contract.ts'
import type { Check, Finding } from '#features/warehouse/warehouse-maps/warehouse-maps.schemas.ts'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Editor.module.css'
import type { Editor } from './editor-state.client.ts'
import { problemLabels } from './map.labels.ts'

export interface Problem {
  kind: keyof typeof problemLabels
  severity: Finding['severity']
  count: number
  items: readonly { text: string; x: number | null; y: number | null; company?: string | undefined; sku?: string | undefined }[]
}

/** What only the server knows. */
const ofProducts: readonly Finding['kind'][] = ['product_off_map', 'product_no_bin', 'empty']

const rank = { error: 0, warning: 1, note: 2 }

export function ProblemsPanel({ editor, problems }: { editor: Editor; problems: readonly Problem[] }) {
  const t = useT()
  const [check, setCheck] = useState<{ answer: Check; of: Editor['drawing'] } | null>(null)
  const { drawing } = editor
  const ask = useSend(warehouseMapsOwn.check, { done: (answer, { body }) => setCheck({ answer, of: body.drawing as Editor['drawing'] }) })
  const all = [...problems, ...(check?.answer.findings ?? []).filter(one => ofProducts.includes(one.kind))].toSorted(
    (a, b) => rank[a.severity] - rank[b.severity],
  )
  return (
    <>
      {all.length === 0 ? (
        <span className={style.row} style={{ color: 'var(--done)', alignItems: 'center' }}>
          <IconCircleCheck size={16} />
          <span style={{ color: 'var(--ink)' }}>{t('Nothing is wrong with the drawing')}</span>
        </span>
      ) : null}
      {all.map(problem => (
        <details key={problem.kind} className={`${style.problem} ${style[problem.severity]}`} open={problem.severity !== 'note'}>
          <summary>
            {t(problemLabels[problem.kind])}
            {problem.items.some(item => item.text !== '') ? ` · ${number(problem.count)}` : ''}
          </summary>
          <ul className={style.rows}>
            {problem.items
              .filter(item => item.text !== '')
              .map((item, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one code may be wrong twice in one place
                <li key={`${item.text} ${item.x} ${item.y} ${i}`}>
                  {item.x !== null && item.y !== null ? (
                    <button
                      type="button"
                      className={style.row}
                      onClick={() => editor.show({ x: Number(item.x), y: Number(item.y), width: 1, height: 1 })}
                    >
                      <span>{item.text}</span>
                      <span>
                        {item.x}, {item.y}
                      </span>
                    </button>
                  ) : (
                    <span className={style.row} style={{ cursor: 'default' }}>
                      <span>
                        {item.sku ? `${item.sku} · ` : ''}
                        {item.text}
                      </span>
                      <span>{item.company ?? ''}</span>
                    </span>
                  )}
                </li>
              ))}
          </ul>
          {problem.count > problem.items.length ? (
            <span className={style.dim}>{t('The first {{count}} are listed', { count: listedFindings })}</span>
          ) : null}
        </details>
      ))}
      <div className={style.actions}>
        <Button
          size="compact-sm"
          variant="default"
          loading={ask.isPending}
          onClick={() => {
            const read = Drawing.safeParse(drawing)
            if (read.success) ask.mutate({ body: { drawing } })
          }}
        >
          {t('Check products too')}
        </Button>
      </div>
      {check ? (
        <span className={style.dim}>
          {check.of === drawing
            ? t('{{count}} products were looked at', { count: check.answer.products })
            : t('The map has changed since the products were looked at')}
        </span>
      ) : null}
    </>
  )
}
