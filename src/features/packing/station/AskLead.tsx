/** A lead elsewhere is asked, and has a minute to answer. */
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ApprovedAct } from '#features/packing/approval/approval.codes.ts'
import { leadQuestions } from '#features/packing/packing/lead-questions.contract.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import style from './BypassForm.module.css'
import parts from './station-parts.module.css'
import { useStation } from './station-parts.tsx'

interface AskedOf {
  id: number
  rule_id?: number
  act?: ApprovedAct
}

/** Asks leads elsewhere, says where none has a screen open, and shows how long they have left. */
export function AskLead({ until, busy, ask, of }: { until: number | null; busy: boolean; ask: () => void; of: AskedOf }) {
  const t = useT()
  const leads = useCall(leadQuestions.leads, of, { every: 10_000 })
  const alone =
    leads.data?.at_screen === false ? (
      <p className={`${parts.detail} ${style.ownLine}`} role="status">
        {t('No lead is signed in at a screen right now. Fetch one, or ask anyway.')}
      </p>
    ) : null
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === null) return
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [until])
  const seconds = until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000))
  if (seconds > 0)
    return (
      <>
        {alone}
        <p className={parts.detail} role="timer">
          {t('A lead is asked: {{seconds}} seconds left', { seconds })}
        </p>
      </>
    )
  return (
    <>
      {alone}
      <Button size="lg" variant={alone ? 'default' : undefined} loading={busy} onClick={ask}>
        {until === null ? t('Ask a lead') : t('Ask again')}
      </Button>
    </>
  )
}

/** For an act that no rule asks about: once a lead has approved, the station goes on by itself. */
export function AskLeadForAct({ act, busy }: { act: ApprovedAct; busy: boolean }) {
  const { state } = useStation()
  const order_id = state.order?.order_id
  return order_id === undefined ? null : <AskedLead key={`${order_id} ${act}`} order_id={order_id} act={act} busy={busy} />
}

function AskedLead({ order_id, act, busy }: { order_id: number; act: ApprovedAct; busy: boolean }) {
  const t = useT()
  const { dispatch } = useStation()
  const [asked, setAsked] = useState<{ request_id: number; until: number } | null>(null)
  const ask = useSend(leadQuestions.ask, {
    quiet: true,
    done: ({ request_id, left_ms }) => setAsked({ request_id, until: Date.now() + left_ms }),
  })
  const answer = useCall(
    leadQuestions.answer,
    { id: order_id, request_id: asked?.request_id ?? 0 },
    { enabled: asked !== null, live: ['approval', 'packing'], every: 3_000 },
  )
  const given = asked === null ? undefined : answer.data
  const approved = given?.state === 'approved' ? asked?.request_id : undefined
  useEffect(() => {
    if (approved !== undefined) dispatch({ type: 'approve', proof: { request_id: approved } })
  }, [approved, dispatch])
  return (
    <>
      {given?.state === 'refused' ? (
        <p className={style.formError} role="alert">
          {t('{{name}} rejected it.', { name: given.by ?? '' })}
        </p>
      ) : null}
      {ask.error ? (
        <p className={style.formError} role="alert">
          {errorSentence(ask.error)}
        </p>
      ) : null}
      <AskLead
        until={given && given.state !== 'asked' ? 0 : (asked?.until ?? null)}
        busy={busy || ask.isPending || approved !== undefined}
        of={{ id: order_id, act }}
        ask={() => ask.mutate({ id: order_id, body: { act } })}
      />
    </>
  )
}
