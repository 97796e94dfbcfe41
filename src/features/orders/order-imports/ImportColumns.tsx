/** The step in which the columns get their meanings: beside them stand the first rows as they will be read. */
import { Button, Collapse, Group, Pill, Select, Text, TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { toMinor } from '#domain/money.ts'
import { entriesOf } from '#domain/objects.ts'
import { country, instant, money, number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { ImportDoubts } from './ImportDoubts.tsx'
import { Columns, Constants, Part } from './ImportMapping.tsx'
import style from './Imports.module.css'
import { dateWords, encodingWords, separatorWords } from './import.labels.ts'
import type { Mapping } from './mapping.rules.ts'
import type { FileForm, ImportPreview } from './order-imports.schemas.ts'
import { csvSentences } from './rejected-rows.rules.ts'

interface ImportColumnsProps {
  seen: ImportPreview
  stale: boolean
  file: ReactNode
  /** Those that are not settled yet. */
  doubts: ImportPreview['doubts']
  map: (change: Partial<Mapping>) => void
  setForm: (change: Partial<FileForm>) => void
  detect: () => void
  settle: (doubt: string) => void
  confirm: (column: string) => void
}

export function ImportColumns({ seen, stale, file, doubts, map, setForm, detect, settle, confirm }: ImportColumnsProps) {
  const t = useT()
  const [written, setWritten] = useState(false)
  const { form, mapping } = seen
  const besideColumns = new Set(doubts.filter(({ values }) => seen.headers.includes(String(values.column))))
  // How the file is written decides these two, whatever column they stand in.
  const ofFile = doubts.filter(
    doubt => !besideColumns.has(doubt) || doubt.text === csvSentences.dates || doubt.text === csvSentences.decimals,
  )
  const shown = written || ofFile.some(({ text }) => text === csvSentences.dates || text === csvSentences.decimals)
  return (
    <>
      <Group gap="xs" mb="xs">
        {file}
        {seen.saved ? (
          <Pill
            withRemoveButton
            onRemove={detect}
            removeButtonProps={{ 'aria-label': t('Detect the columns anew'), 'aria-hidden': false, tabIndex: 0 }}
          >
            {t('As in the last file of this shop')}
          </Pill>
        ) : null}
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {[
            t(separatorWords[form.separator]),
            t(encodingWords[form.encoding]),
            t(dateWords[mapping.dates]),
            mapping.decimals === '.' ? t('Point: 1,000.50') : t('Comma: 1.000,50'),
          ].join(' · ')}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconAdjustments size={16} />}
          aria-expanded={shown}
          onClick={() => setWritten(!shown)}
        >
          {t('File format')}
        </Button>
      </Group>
      <Collapse expanded={shown}>
        <div className={style.written}>
          <Select
            label={t('Separator')}
            data={entriesOf(separatorWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={form.separator}
            onChange={value => value && setForm({ separator: value })}
          />
          <Select
            label={t('Encoding')}
            data={entriesOf(encodingWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={form.encoding}
            onChange={value => value && setForm({ encoding: value })}
          />
          <Select
            label={t('Dates')}
            data={entriesOf(dateWords).map(([value, label]) => ({ value, label: t(label) }))}
            value={mapping.dates}
            onChange={value => {
              if (value === null) return
              settle(csvSentences.dates)
              map({ dates: value })
            }}
          />
          <Select
            label={t('Decimals')}
            data={[
              { value: '.', label: t('Point: 1,000.50') },
              { value: ',', label: t('Comma: 1.000,50') },
            ]}
            value={mapping.decimals}
            onChange={value => {
              if (value === null) return
              settle(csvSentences.decimals)
              map({ decimals: value, column_decimals: {} })
            }}
          />
          <WholeNumberInput
            label={t('Row with the column names')}
            min={1}
            max={1_000}
            value={form.header_row}
            onChange={value => {
              if (typeof value === 'number' && value >= 1) setForm({ header_row: value })
            }}
          />
          <TextInput
            label={t('Time zone')}
            description={t('Of times without an offset.')}
            value={mapping.time_zone}
            onChange={event => map({ time_zone: event.currentTarget.value })}
          />
        </div>
      </Collapse>
      <ImportDoubts doubts={ofFile} />
      <div className={style.sides}>
        <div>
          <Part title={t('What the columns mean')} help={t('Columns without a meaning are left out.')}>
            <Columns seen={seen} doubts={doubts} map={map} confirm={confirm} />
          </Part>
          <Constants seen={seen} map={map} />
        </div>
        <div className={style.preview}>
          <Part title={t('As it will be read')} help={t('The first rows of the file.')}>
            <Lines seen={seen} stale={stale} />
          </Part>
        </div>
      </div>
    </>
  )
}

/** The first rows, as they stand in an order: three words on top of three. */
function Lines({ seen, stale }: { seen: ImportPreview; stale: boolean }) {
  const t = useT()
  if (seen.lines.length === 0) return <Text c="dimmed">{t('No row can be read like this.')}</Text>
  return (
    <ul className={style.lines} style={{ opacity: stale ? 0.6 : 1 }} aria-busy={stale} aria-label={t('As it will be read')}>
      {seen.lines.slice(0, 8).map((line, at) => (
        // Rows of a preview have no identity of their own but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
        <li key={at}>
          <div className={style.line}>
            <strong>{line.order_no}</strong>
            <span>{line.recipient || '–'}</span>
            <span className={style.end}>
              {number(line.qty)} × {line.price === null ? '–' : money(toMinor(line.price, line.currency), line.currency)}
            </span>
          </div>
          <div className={`${style.line} ${style.dim}`}>
            <span>{line.name}</span>
            {line.sku ? <span className={style.code}>{line.sku}</span> : null}
          </div>
          <div className={`${style.line} ${style.dim}`}>
            <span>{[line.place, country(line.country)].filter(Boolean).join(', ') || '–'}</span>
            {line.ordered_at ? <span className={style.code}>{instant(line.ordered_at)}</span> : null}
          </div>
        </li>
      ))}
    </ul>
  )
}
