/** The last step before an import: how much can be read, what is wrong with the rest, and how special rows are taken. */
import { Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { ImportDoubts } from './ImportDoubts.tsx'
import { Rules } from './ImportMapping.tsx'
import { ImportFigure, ImportReasons } from './ImportReasons.tsx'
import style from './Imports.module.css'
import type { Mapping } from './mapping.rules.ts'
import type { ImportPreview } from './order-imports.schemas.ts'

interface ImportCheckProps {
  seen: ImportPreview
  stale: boolean
  file: ReactNode
  doubts: ImportPreview['doubts']
  map: (change: Partial<Mapping>) => void
}

export function ImportCheck({ seen, stale, file, doubts, map }: ImportCheckProps) {
  const t = useT()
  const unused = seen.unused.map(({ column }) => column)
  return (
    <>
      {file}
      <div className={style.figures} style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale}>
        <ImportFigure count={seen.looked_at} word={t('rows read')} />
        <ImportFigure count={seen.orders_read} word={t('orders can be read')} />
        <ImportFigure count={seen.rows_refused} word={t('rows rejected')} />
      </div>
      <Text size="sm" c="dimmed">
        {seen.looked_at >= 500 ? t('Of the first {{rows}} rows. The import reads all of them.', { rows: number(seen.looked_at) }) : null}
      </Text>
      {seen.mapping.invent.addresses ? (
        <Text size="sm" mt="sm" role="status" className={style.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          {t('Missing addresses are invented: for trying only')}
        </Text>
      ) : null}
      <ImportDoubts doubts={doubts} unused={unused} />
      {doubts.length === 0 && unused.length > 0 ? (
        <Text mt="sm" size="sm" c="dimmed">
          {t('These columns are left out: {{columns}}', { columns: unused.join(', ') })}
        </Text>
      ) : null}
      <ImportReasons reasons={seen.reasons} />
      <Rules mapping={seen.mapping} map={map} />
    </>
  )
}
