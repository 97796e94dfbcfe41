/** What ends a list: closing it with a reason for each missing parcel, handing it over, and opening it again. */
import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './Collect.module.css'
import { reasonWord } from './collect-list.labels.tsx'
import { missingReasons } from './collect-lists.codes.ts'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import type { CollectList, MissingReason } from './collect-lists.schemas.ts'
import { SignatureInput } from './SignatureInput.tsx'

const refreshes = [collectLists.get, collectLists.search, collectListsOwn.overview]

interface DialogProps {
  list: CollectList
  opened: boolean
  close: () => void
}

export function CloseDialog({ list, opened, close, closed }: DialogProps & { closed?: (list: CollectList) => void }) {
  const t = useT()
  const [reasons, setReasons] = useState<ReadonlyMap<number, MissingReason>>(new Map())
  const missing = list.parcels.filter(parcel => parcel.standing === 'expected')
  const open = missing.filter(parcel => !reasons.has(parcel.shipment_id))
  const send = useSend(collectListsOwn.close, {
    refreshes,
    quiet: true,
    said: t('The list is closed'),
    done: answer => {
      close()
      closed?.(answer)
    },
  })
  const all = (reason: MissingReason) => setReasons(new Map(missing.map(parcel => [parcel.shipment_id, reason])))
  return (
    <Dialog opened={opened} onClose={close} title={t('Close {{list}}', { list: list.code })} size={640}>
      <Stack gap="md">
        <Text>
          {t('{{count}} parcels are scanned.', { count: list.scanned })}{' '}
          {missing.length > 0
            ? t('{{count}} are missing: say why, so that no one has to ask tomorrow.', { count: missing.length })
            : t('Nothing is missing.')}
        </Text>
        {list.take_out > 0 ? (
          <Alert color="brick" icon={<IconAlertTriangle size={16} />}>
            {t('Take {{count}} parcels out of the cage first: their label was cancelled or their order stopped.', { count: list.take_out })}
          </Alert>
        ) : null}
        {missing.length > 1 ? (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {t('All of them:')}
            </Text>
            {missingReasons.map(reason => (
              <Button key={reason} size="compact-md" variant="default" onClick={() => all(reason)}>
                {reasonWord(reason)}
              </Button>
            ))}
          </Group>
        ) : null}
        {missing.length > 0 ? (
          <ul className={style.missing}>
            {missing.map((parcel, index) => (
              <li key={parcel.shipment_id}>
                <span>
                  <span className={style.number}>{parcel.tracking_no}</span>
                  <span className={style.dim}> {[parcel.order_no, parcel.receiver].filter(Boolean).join(' · ')}</span>
                </span>
                <NativeSelect
                  data-autofocus={index === 0 || undefined}
                  aria-label={t('Why {{parcel}} is missing', { parcel: parcel.tracking_no ?? parcel.order_no ?? '' })}
                  value={reasons.get(parcel.shipment_id) ?? ''}
                  data={[{ value: '', label: t('Select a reason') }, ...missingReasons.map(value => ({ value, label: reasonWord(value) }))]}
                  onChange={event => {
                    const next = new Map(reasons)
                    const reason = missingReasons.find(one => one === event.currentTarget.value)
                    if (reason) next.set(parcel.shipment_id, reason)
                    else next.delete(parcel.shipment_id)
                    setReasons(next)
                  }}
                />
              </li>
            ))}
          </ul>
        ) : null}
        <Refusal of={send} />
        <Group justify="flex-end" gap="xs">
          {open.length > 0 ? (
            <Text size="sm" c="dimmed">
              {t('{{count}} without a reason', { count: open.length })}
            </Text>
          ) : null}
          <Button variant="default" onClick={close}>
            {t('Continue scanning')}
          </Button>
          <Button
            {...disabledBecause(
              open.length > 0 ? t('Give each parcel a reason first') : list.take_out > 0 && t('Take the extra parcels out first'),
            )}
            loading={send.isPending}
            onClick={() =>
              send.mutate({
                id: list.id,
                body: {
                  reasons: missing.flatMap(({ shipment_id }) => {
                    const reason = reasons.get(shipment_id)
                    return reason ? [{ shipment_id, reason }] : []
                  }),
                },
              })
            }
          >
            {t('Close list')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const Refusal = ({ of }: { of: { error: Error | null } }) =>
  of.error ? (
    <Alert color="brick" role="alert">
      {errorSentence(of.error)}
    </Alert>
  ) : null

/** One question to answer before a list goes on or back: the question, a way to cancel, and the action. */
function Asking({
  title,
  opened,
  close,
  send,
  answer,
  missing,
  stay,
  action,
  children,
}: Pick<DialogProps, 'opened' | 'close'> & {
  title: string
  send: { error: Error | null; isPending: boolean }
  /** Does it; null while the question is open. */
  answer: (() => void) | null
  /** What an open question lacks. */
  missing: string
  stay: string
  action: string
  children: ReactNode
}) {
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          answer?.()
        }}
      >
        <Stack gap="md">
          {children}
          <Refusal of={send} />
          <Group justify="flex-end" gap="xs">
            {answer === null ? (
              <Text size="sm" c="dimmed">
                {missing}
              </Text>
            ) : null}
            <Button variant="default" onClick={close}>
              {stay}
            </Button>
            <Button type="submit" {...disabledBecause(answer === null && missing)} loading={send.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export function HandOverDialog({ list, opened, close, done }: DialogProps & { done?: () => void }) {
  const t = useT()
  const [text, setDriver] = useState('')
  const [signature, setSignature] = useState('')
  const driver = text.trim()
  const send = useSend(collectListsOwn.handOver, {
    refreshes,
    quiet: true,
    said: t('{{list}} is handed over', { list: list.code }),
    done: () => {
      close()
      done?.()
    },
  })
  return (
    <Asking
      title={t('Hand over {{list}}', { list: list.code })}
      {...{ opened, close, send }}
      answer={
        driver === '' ? null : () => send.mutate({ id: list.id, body: { driver, ...(signature && { driver_signature: signature }) } })
      }
      missing={t('Enter the driver’s name')}
      stay={t('Not yet')}
      action={t('Hand over')}
    >
      <Text>{t('The driver takes {{count}} parcels. From now on they count as sent.', { count: list.scanned })}</Text>
      <TextInput
        label={t('Driver’s name')}
        description={t('As the driver says it; it stands on the list and in the story of each parcel.')}
        maxLength={80}
        value={text}
        onChange={event => setDriver(event.currentTarget.value)}
        data-autofocus
      />
      <SignatureInput value={signature} onChange={setSignature} />
    </Asking>
  )
}

export function ReopenDialog({ list, opened, close }: DialogProps) {
  const t = useT()
  const [text, setNote] = useState('')
  const note = text.trim()
  const send = useSend(collectListsOwn.reopen, { refreshes, quiet: true, said: t('The list is open again'), done: close })
  return (
    <Asking
      title={t('Reopen {{list}}', { list: list.code })}
      {...{ opened, close, send }}
      answer={note === '' ? null : () => send.mutate({ id: list.id, body: { note } })}
      stay={t('Leave it closed')}
      missing={t('Enter a reason')}
      action={t('Reopen list')}
    >
      <Text>
        {list.state === 'handed_over'
          ? t('The hand-over is taken back, except for parcels that the courier has scanned since.')
          : t('Scanning goes on where it ended.')}
      </Text>
      <Textarea
        label={t('Why?')}
        maxLength={500}
        autosize
        minRows={2}
        value={text}
        onChange={event => setNote(event.currentTarget.value)}
        data-autofocus
      />
    </Asking>
  )
}
