/** One question of a packing station to a lead: what is asked, how long is left, approve or refuse. */
import { Button, Group, Paper, RingProgress, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './ApprovalRequests.module.css'
import { mostReason } from './approval.codes.ts'
import { approvals } from './approval.contract.ts'
import { actQuestions } from './approval.labels.ts'
import type { OpenApproval } from './approval.schemas.ts'

const wholeMs = 60_000

export default function ApprovalQuestion({ of: row, readAt }: { of: OpenApproval; readAt: number }) {
  const t = useT()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const answer = useSend(approvals.answer, { refreshes: [approvals.open] })
  const lacking = row.reason_required && reason.trim().length < 3
  const left = Math.max(0, row.left_ms - (now - readAt))
  if (left === 0) return null
  const seconds = Math.ceil(left / 1000)
  const send = (approve: boolean) => {
    setTried(approve)
    const given = reason.trim()
    if (!approve || !lacking) answer.mutate({ id: row.id, body: { approve, ...(given.length >= 3 && { reason: given }) } })
  }
  return (
    <Paper withBorder shadow="md" p="md" radius="md" className={style.card} component="article">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <RingProgress
          size={56}
          thickness={5}
          sections={[{ value: Math.min(100, (100 * left) / wholeMs), color: 'harbour' }]}
          label={
            <Text size="sm" ta="center" className="num">
              {seconds}
            </Text>
          }
        />
        <Stack gap={2} flex={1}>
          <Text fw={600}>{row.act === 'rule' ? row.rule : t(actQuestions[row.act])}</Text>
          {row.item === null ? null : <Text size="sm">{row.item}</Text>}
          <Text size="sm" c="dimmed">
            {t('Order {{order_no}}, {{company}}', { order_no: row.order_no, company: row.company })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('{{name}} asks at {{station}}', { name: row.asked_by, station: row.station })}
          </Text>
          {row.reason_required ? (
            <TextInput
              mt="xs"
              label={t('Reason')}
              maxLength={mostReason}
              value={reason}
              error={tried && lacking ? t('Enter a reason') : undefined}
              onChange={event => setReason(event.currentTarget.value)}
            />
          ) : null}
          <Group gap="xs" mt="xs">
            <Button size="compact-md" loading={answer.isPending} onClick={() => send(true)}>
              {t('Approve')}
            </Button>
            <Button size="compact-md" variant="default" disabled={answer.isPending} onClick={() => send(false)}>
              {t('Reject')}
            </Button>
          </Group>
        </Stack>
      </Group>
    </Paper>
  )
}
