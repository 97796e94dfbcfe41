/** The scan field of the returns desk: it opens the return, offers one for the order, or keeps a parcel that no one knows. */
import { Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { errorSentence, toastFailure } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { CameraButton } from '#ui/scanner/CameraButton.tsx'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { NewReturn } from './NewReturn.tsx'
import style from './Returns.module.css'
import { ReturnBadge } from './return.labels.tsx'
import { returnChange, returnRefreshes } from './return-refreshes.client.ts'
import { returns } from './returns.contract.ts'
import type { ScanAnswer, ScannedOrder } from './returns.schemas.ts'

interface ScanReturnProps {
  opened: boolean
  close: () => void
  open: (id: number) => void
  /** Where the page shows itself what no scan explains; else a dialog does. */
  unknown?: (code: string) => void
}

export function ScanReturn({ opened, close, open, unknown }: ScanReturnProps) {
  const t = useT()
  const { play } = useScanner()
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<{ code: string; answer: ScanAnswer } | null>(null)
  const [ordering, setOrdering] = useState<number | null>(null)
  const finish = (id: number) => {
    setFound(null)
    setTyped('')
    close()
    open(id)
  }
  const scan = useSend(returns.scan, {
    refreshes: returnRefreshes,
    done: (answer, { body }) => {
      if (answer.alarm) toastFailure(t(answer.alarm.text, answer.alarm.values))
      if (answer.return_id !== null) {
        play(answer.blocked || answer.alarm ? 'error' : 'ok')
        return finish(answer.return_id)
      }
      play('error')
      if (unknown && !isChoice(answer) && answer.order === null) unknown(body.code)
      else setFound({ code: body.code, answer })
    },
  })
  useScanHandler({
    match: code => (code.kind === 'refused' || code.kind === 'command' ? null : code.text),
    handle: code => scan.mutate({ body: { code } }),
  })
  const order = found?.answer.order ?? null
  return (
    <>
      <Dialog opened={opened && found === null} onClose={close} title={t('Scan return')}>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (typed.trim() !== '') scan.mutate({ body: { code: typed } })
          }}
        >
          <Stack gap="md">
            <TextInput
              label={t('Return, label, order, serial')}
              value={typed}
              maxLength={256}
              data-autofocus
              autoComplete="off"
              onChange={event => setTyped(event.currentTarget.value)}
            />
            <Group justify="flex-end" gap="xs">
              <CameraButton size="sm" />
              <Button type="submit" loading={scan.isPending} {...disabledBecause(typed.trim() === '' && t('Enter a code first'))}>
                {t('Open return')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
      <Dialog opened={found !== null && ordering === null} onClose={() => setFound(null)} title={titleOf(t, found)}>
        {found && isChoice(found.answer) ? (
          <Stack gap="xs">
            {found.answer.choices.map(row => (
              <Choice
                key={`return ${row.id}`}
                // Companies count their returns by themselves: several may have one number.
                words={[row.rma_no, row.order_no, row.customer, row.company]}
                side={<ReturnBadge status={row.status} />}
                loading={scan.isPending && scan.variables?.body.return_id === row.id}
                choose={() => scan.mutate({ body: { code: found.code, return_id: row.id } })}
              />
            ))}
            {found.answer.orders.map(row => (
              <Choice
                key={`order ${row.id}`}
                words={[row.order_no, row.customer, row.company]}
                side={<span className={style.dim}>{t('No return yet')}</span>}
                choose={() => setFound({ code: found.code, answer: { ...found.answer, choices: [], orders: [], order: row } })}
              />
            ))}
          </Stack>
        ) : null}
        {order ? (
          <Stack gap="md">
            <Text>{order.left > 0 ? t('{{count}} items of this order can be returned.', { count: order.left }) : noneLeft(t, order)}</Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setFound(null)}>
                {t('Cancel')}
              </Button>
              <Button {...disabledBecause(order.left === 0 && noneLeft(t, order))} onClick={() => setOrdering(order.id)}>
                {t('New return')}
              </Button>
            </Group>
          </Stack>
        ) : null}
        {found && !isChoice(found.answer) && !order ? <UnknownParcel code={found.code} done={finish} /> : null}
      </Dialog>
      {ordering === null ? null : (
        <NewReturn
          order_id={ordering}
          close={() => {
            setOrdering(null)
            setFound(null)
          }}
          done={id => {
            setOrdering(null)
            finish(id)
          }}
        />
      )}
    </>
  )
}

function titleOf(t: ReturnType<typeof useT>, found: { answer: ScanAnswer } | null): string {
  if (found?.answer.order) return t('Order {{order_no}} has no open return', { order_no: found.answer.order.order_no })
  if (found && found.answer.orders.length > 0) return t('Which order is it?')
  return found && found.answer.choices.length > 0 ? t('Which return is it?') : t('Unknown parcel')
}

const isChoice = ({ choices, orders }: ScanAnswer): boolean => choices.length + orders.length > 0

const noneLeft = (t: ReturnType<typeof useT>, { sent }: ScannedOrder): string =>
  sent ? t('Nothing of this order is left to return.') : t('Nothing of this order was sent yet.')

interface ChoiceProps {
  words: readonly (string | null)[]
  side: ReactNode
  loading?: boolean
  choose: () => void
}

function Choice({ words, side, loading = false, choose }: ChoiceProps) {
  return (
    <Button
      variant="default"
      justify="space-between"
      h="auto"
      py={8}
      classNames={{ label: style.choice }}
      rightSection={side}
      loading={loading}
      onClick={choose}
    >
      {words.filter(Boolean).join(' · ')}
    </Button>
  )
}

/** A parcel that no scan explains: kept with a photo, until its order is known. */
function UnknownParcel({ code, done }: { code: string; done: (id: number) => void }) {
  const t = useT()
  const { init } = useSignedIn()
  const [client_id] = useState(() => crypto.randomUUID())
  const [photo, setPhoto] = useState<File | null>(null)
  const [shelf, setShelf] = useState('')
  const [company, setCompany] = useState('')
  const keep = useSend(returns.createOrphan, { ...returnChange, quiet: true, done: made => done(made.id) })
  const companies = init.CompanyLookup
  return (
    <Stack gap="md">
      <Text>{t('No return and no order is known for {{code}}. Take a photo of the parcel and put it on a shelf.', { code })}</Text>
      {companies.length > 1 ? (
        <NativeChoice
          label={t('Company')}
          value={company}
          data={[{ value: '', label: t('Own company') }, ...companies.map(one => ({ value: String(one.id), label: one.name }))]}
          choose={setCompany}
        />
      ) : null}
      <TextInput label={t('Shelf')} value={shelf} maxLength={40} onChange={event => setShelf(event.currentTarget.value)} />
      <Group gap="xs">
        <FileButton accept="image/jpeg,image/png,image/webp" capture="environment" onChange={setPhoto}>
          {props => (
            <Button {...props} variant="default" leftSection={<IconCamera size={16} />}>
              {photo ? t('Another photo') : t('Take photo')}
            </Button>
          )}
        </FileButton>
        <span className={style.dim}>{photo?.name}</span>
      </Group>
      {keep.error ? (
        <Text c="brick" role="alert">
          {errorSentence(keep.error)}
        </Text>
      ) : null}
      <Group justify="flex-end">
        <Button
          loading={keep.isPending}
          {...disabledBecause(photo === null && t('Take a photo first'))}
          onClick={() =>
            photo &&
            keep.mutate({
              client_id,
              code: code.slice(0, 256),
              shelf,
              upload: photo,
              ...(company !== '' && { company_id: Number(company) }),
            })
          }
        >
          {t('Register parcel')}
        </Button>
      </Group>
    </Stack>
  )
}
