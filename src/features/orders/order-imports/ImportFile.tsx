/** A file before it is imported, in steps: what its columns mean, what is wrong with its rows, and the start. */
import { Alert, Button, Checkbox, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { bytes, number } from '#ui/kit/format.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { currentLocale, useT } from '#ui/kit/translate.ts'
import { Wizard } from '#ui/kit/Wizard.tsx'
import { useCall, useSend } from '#ui/query/calls.ts'
import { ImportCheck } from './ImportCheck.tsx'
import { ImportColumns } from './ImportColumns.tsx'
import { spokenValues } from './import.labels.ts'
import { importSteps, importStepWords, type Step } from './import-steps.labels.ts'
import type { Mapping } from './mapping.rules.ts'
import { orderImports } from './order-imports.contract.ts'
import type { FileForm, ImportPreview } from './order-imports.schemas.ts'
import { csvSentences } from './rejected-rows.rules.ts'

/** What a person changed of what was found. */
interface Wish {
  form: Partial<FileForm>
  mapping: Mapping | null
  /** The mapping that is kept for the shop does not count. */
  detect: boolean
}

interface ImportFileProps {
  file_id: number
  shop: string
  step: Step
  go: (step: Step) => void
  /** For another file than this one. */
  choose: ReactNode
  started: (id: number) => void
}

export function ImportFile({ file_id, shop, step, go, choose, started }: ImportFileProps) {
  const t = useT()
  const [wish, setWish] = useState<Wish>({ form: {}, mapping: null, detect: false })
  // A constant is typed letter by letter; the file is read anew when the typing rests.
  const [asked] = useDebouncedValue(wish, 350)
  const preview = useCall(orderImports.preview, { body: { file_id, shop, ...asked } }, { keep: true, fresh: 60_000 })
  const seen = preview.data
  // Another file is the way on, whatever is wrong with this one.
  if (!seen && preview.error)
    return (
      <Wizard steps={importSteps.map(one => ({ label: t(importStepWords[one]) }))} at={0}>
        <Alert mb="md" color="brick" role="alert" title={t('This file cannot be imported')}>
          {errorSentence(preview.error)}
        </Alert>
        {choose}
      </Wizard>
    )
  if (!seen) return <Skeleton shape="form" />
  const mapping = wish.mapping ?? seen.mapping
  return (
    <>
      {preview.error ? <ErrorState error={preview.error} again={() => void preview.refetch()} /> : null}
      <Steps
        seen={{ ...seen, mapping }}
        shop={shop}
        step={step}
        go={go}
        choose={choose}
        started={started}
        stale={preview.isPlaceholderData || asked !== wish || preview.error !== null}
        map={change => setWish(wish => ({ ...wish, mapping: { ...(wish.mapping ?? mapping), ...change } }))}
        setForm={change => setWish(wish => ({ ...wish, form: { ...wish.form, ...change }, mapping: null }))}
        detect={() => setWish(wish => ({ ...wish, mapping: null, detect: true }))}
      />
    </>
  )
}

interface StepsProps extends Omit<ImportFileProps, 'file_id'> {
  seen: ImportPreview
  /** What is shown is older than the last change. */
  stale: boolean
  map: (change: Partial<Mapping>) => void
  setForm: (change: Partial<FileForm>) => void
  detect: () => void
}

function Steps({ seen, shop, step, go, choose, started, stale, map, setForm, detect }: StepsProps) {
  const t = useT()
  const [keep, setKeep] = useState(true)
  const [settled, setSettled] = useState<readonly string[]>([])
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const open = seen.doubts.filter(
    ({ text, values }) => !settled.includes(text) && !(text === csvSentences.guessed && confirmed.includes(String(values.column))),
  )
  const unconfirmed = open.filter(({ text }) => text === csvSentences.guessed).map(({ values }) => values.column)
  const start = useSend(orderImports.start, { refreshes: [orderImports.list], done: ({ id }) => started(id) })
  const { mapping } = seen
  const missing = [...new Set(seen.missing.map(problem => t(problem.text, spokenValues(problem.values, t))))].join(' · ')
  const waitsFor =
    missing ||
    (unconfirmed.length > 0
      ? t('Confirm or correct what these columns mean: {{columns}}', { columns: unconfirmed.join(', ') })
      : seen.orders_read === 0
        ? t('0 of {{rows}} rows can be read', { rows: number(seen.looked_at) })
        : '')
  const ready = !stale && waitsFor === ''
  const steps = [
    { label: t(importStepWords.file), go: () => go('file') },
    { label: t(importStepWords.columns), go: () => go('columns') },
    { label: t(importStepWords.check), go: ready ? () => go('check') : undefined },
    { label: t(importStepWords.import) },
  ]
  const file = (
    <Text className="break">
      <strong>{seen.file_name}</strong> · {bytes(seen.bytes)} · {t('for the shop {{shop}}', { shop })}
    </Text>
  )
  const readAgain = t('The file is being read with the last change')
  const continues = (next: Step, can: boolean) => (
    <Button {...disabledBecause(!can && (waitsFor || readAgain))} onClick={() => go(next)}>
      {t('Continue')}
    </Button>
  )
  if (step === 'file')
    return (
      <Wizard steps={steps} at={0} action={continues('columns', true)} note={file}>
        {choose}
      </Wizard>
    )
  if (step === 'columns')
    return (
      <Wizard
        steps={steps}
        at={1}
        back={() => go('file')}
        action={continues('check', ready)}
        note={waitsFor ? <Text c="brick">{waitsFor}</Text> : null}
      >
        <ImportColumns
          seen={seen}
          stale={stale}
          file={file}
          doubts={open}
          map={map}
          setForm={setForm}
          detect={detect}
          settle={doubt => setSettled(doubts => [...doubts, doubt])}
          confirm={column => setConfirmed(columns => [...columns, column])}
        />
      </Wizard>
    )
  return (
    <Wizard
      steps={steps}
      at={2}
      back={() => go('columns')}
      note={
        waitsFor ? (
          <Text c="brick">{waitsFor}</Text>
        ) : (
          <Checkbox
            label={t('Keep this for the next file of the shop')}
            checked={keep}
            onChange={event => setKeep(event.currentTarget.checked)}
          />
        )
      }
      action={
        <Button
          loading={start.isPending}
          // What was seen before the last change is not what would be imported.
          {...disabledBecause(waitsFor || (stale && readAgain))}
          onClick={() => start.mutate({ body: { file_id: seen.file_id, shop, form: seen.form, mapping, keep, locale: currentLocale() } })}
        >
          {t('Import orders')}
        </Button>
      }
    >
      <ImportCheck seen={seen} stale={stale} file={file} doubts={open} map={map} />
    </Wizard>
  )
}
