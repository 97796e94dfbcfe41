/** Alerts that an order met: what was met, who was mailed, and whether somebody has checked it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { access } from '#contract/access.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { orderAlerts } from './order-alerts.contract.ts'
import { hitStateLabels, modeLabels, signalLabels } from './order-alerts.labels.ts'
import type { OrderAlertHit } from './order-alerts.schemas.ts'

const tones = { open: 'soon', released: 'quiet', kept: 'done' } as const

export default function OrderAlerts({ order_id }: { order_id: number }) {
  const t = useT()
  const { data } = useCall(orderAlerts.ofOrder, { id: order_id }, { live: [{ topic: 'order', id: order_id }] })
  if (!data || data.rows.length === 0) return null
  return (
    <Panel title={t('Order alerts')} place={2}>
      <Stack gap="md">
        {data.rows.map(hit => (
          <Hit key={hit.id} hit={hit} order_id={order_id} />
        ))}
      </Stack>
    </Panel>
  )
}

function Hit({ hit, order_id }: { hit: OrderAlertHit; order_id: number }) {
  const t = useT()
  const isLead = useIsAllowed(access.parcelsAdmin)
  const settle = useSend(orderAlerts.settle, { refreshes: [orderAlerts.ofOrder], said: t('Checked') })
  const met = hit.signals.map(signal => t(signalLabels[signal] ?? signal)).join(', ')
  const maySettle = hit.state === 'open' && hit.mode !== 'hold' && (isLead || hit.mode !== 'pin')
  return (
    <Stack gap={4} role="group" aria-label={hit.note || met}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text fw={500}>{hit.note || met}</Text>
        <StateBadge tone={tones[hit.state]}>{t(hitStateLabels[hit.state])}</StateBadge>
      </Group>
      <Text size="sm" c="dimmed">
        {[hit.note ? met : '', t(modeLabels[hit.mode])].filter(Boolean).join(' · ')} · <RelativeTime at={hit.created_at} />
      </Text>
      {hit.recipient ? (
        <Text size="sm" c="dimmed">
          {hit.mailed_at ? t('Mailed to {{email}}', { email: hit.recipient }) : t('Not mailed to {{email}} yet', { email: hit.recipient })}
        </Text>
      ) : null}
      {hit.decided_by ? (
        <Text size="sm" c="dimmed">
          {t('By {{name}}', { name: hit.decided_by })} · <RelativeTime at={hit.decided_at} />
        </Text>
      ) : null}
      {maySettle ? (
        <Group>
          <Button
            size="compact-md"
            variant="default"
            loading={settle.isPending}
            onClick={() => settle.mutate({ id: order_id, hit_id: hit.id })}
          >
            {t('Mark as checked')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}
