/** What a rule would have met: two counts, the days and the newest orders, beside the editor. */
import { Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { RuleSetKind } from '#domain/rules/rule-fields.ts'
import type { Rule } from '#domain/rules/rule-grammar.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { country, instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { Progress } from '#ui/kit/Progress.tsx'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { rulePreviews } from './rule-preview.contract.ts'
import { RulePreview } from './rule-preview.schemas.ts'

/** The spans of the preview in days. */
const spans = [30, 90] as const

interface RulePreviewPanelProps {
  /** What orders meet when they arrive; campaigns and returns look at them later. */
  kind: Exclude<RuleSetKind, 'campaign' | 'return'>
  rule: Rule | null
  /** Whose orders a rule of the main company is about; null stands for all. */
  company_ids?: number[] | null
}

/** Asked again half a second after the last change; a rule with a mistake keeps the last answer. */
export function RulePreviewPanel({ kind, rule, company_ids = null }: RulePreviewPanelProps) {
  const t = useT()
  const [asked] = useDebouncedValue(rule, 500)
  const [days, setDays] = useState<(typeof spans)[number]>(30)
  const preview = useCall(
    rulePreviews.preview,
    { body: { kind, rule: asked ?? { v: 1, all: [] }, days, company_ids } },
    { enabled: asked !== null, keep: true, fresh: 60_000 },
  )
  const [job, setJob] = useState<{ id: number; rule: Rule; days: number } | null>(null)
  const start = useSend(rulePreviews.preview, {
    done: ({ job_id }) => {
      if (job_id !== null && asked) setJob({ id: job_id, rule: asked, days })
    },
  })
  return (
    <Stack gap="sm" component="section" aria-label={t('Preview')}>
      <Group justify="space-between">
        <Text fw={600}>{t('Preview')}</Text>
        <SegmentedControl
          size="xs"
          aria-label={t('Orders of the last')}
          data={spans.map(span => ({ value: `${span}`, label: t('{{count}} days', { count: span }) }))}
          value={`${days}`}
          onChange={chosen => setDays(spans.find(span => `${span}` === chosen) ?? 30)}
        />
      </Group>
      {asked === null && !preview.data ? (
        <Text size="sm" c="dimmed">
          {t('The preview starts when every condition is filled in.')}
        </Text>
      ) : preview.error ? (
        <ErrorState error={preview.error} again={() => void preview.refetch()} />
      ) : preview.data?.preview ? (
        <PreviewResult preview={preview.data.preview} />
      ) : preview.data && job && job.rule === asked && job.days === days ? (
        <PreviewJob id={job.id} />
      ) : preview.data ? (
        <>
          <Text size="sm">{t('There are more than {{count}} orders.', { count: 20_000 })}</Text>
          <Button
            variant="default"
            loading={start.isPending}
            onClick={() => asked && start.mutate({ body: { kind, rule: asked, days, company_ids, as_job: true } })}
          >
            {t('Check all orders')}
          </Button>
        </>
      ) : (
        <Skeleton shape="rows" />
      )}
    </Stack>
  )
}

function PreviewJob({ id }: { id: number }) {
  const t = useT()
  const job = useCall(jobs.get, { id }, { live: ['job'] })
  const cancel = useSend(jobs.cancel, { refreshes: [jobs.get] })
  if (!job.data) return <Skeleton shape="rows" />
  const { state, done, total, started_at, cancel_asked_at } = job.data
  if (state === 'done') return <PreviewResult preview={RulePreview.parse(job.data.result)} />
  return (
    <Progress
      label={t('Checking orders')}
      done={done}
      total={total}
      began={started_at}
      state={state === 'failed' || state === 'cancelled' ? state : 'running'}
      cancel={() => cancel.mutate({ id })}
      cancelling={cancel_asked_at !== null}
    />
  )
}

function PreviewResult({ preview }: { preview: RulePreview }) {
  const t = useT()
  return (
    <>
      <Text size="sm" aria-live="polite">
        {t('Would have met {{met}} of {{checked}} orders in {{days}} days', {
          met: number(preview.met),
          checked: number(preview.checked),
          days: preview.days,
        })}
        {' · '}
        {t('{{count}} open now', { count: preview.open_now })}
      </Text>
      {preview.not_compared > 0 ? (
        <Text size="sm" c="dimmed">
          {t('{{count}} orders were not compared: their currency is another one.', { count: preview.not_compared })}
        </Text>
      ) : null}
      {preview.sample.length > 0 ? (
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Order')}</Table.Th>
              <Table.Th>{t('Country')}</Table.Th>
              <Table.Th>{t('Received')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {preview.sample.map(order => (
              <Table.Tr key={order.id}>
                <Table.Td>
                  <Link to={`/parcels/orders?id=${order.id}`}>{order.order_no}</Link>
                </Table.Td>
                <Table.Td>{country(order.country)}</Table.Td>
                <Table.Td>{instant(order.created_at)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : null}
    </>
  )
}
