/** What is asked in dialogs of a return: the inspection of an item, decisions, refunds, reasons, and the order of a parcel. */
import { Alert, Button, FileButton, Group, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { decimalsOf } from '#domain/money.ts'
import { isOneOf } from '#domain/objects.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { useDialogKeys } from '#ui/kit/dialog-keys.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { dayOf, money } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import type { CallError } from '#ui/query/call-error.ts'
import { send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { useScanHandler } from '#ui/scanner/handlers.tsx'
import { Accessories } from './Accessories.tsx'
import { PieceImage } from './PieceImage.tsx'
import style from './Returns.module.css'
import { conditionWord, decisionWord, reasonWord } from './return.labels.tsx'
import type { ReturnDialog } from './return-dialog.client.ts'
import { returnChange } from './return-refreshes.client.ts'
import { firstDecision } from './return-states.rules.ts'
import { type Condition, conditions, type Decision, decisions, returnLimits } from './returns.codes.ts'
import { returns } from './returns.contract.ts'
import type { Return, ReturnItem } from './returns.schemas.ts'

interface DialogsProps {
  of: Return
  dialog: ReturnDialog
  close: () => void
  open: (id: number) => void
}

export default function ReturnDialogs({ of, dialog, close, open }: DialogsProps) {
  switch (dialog.kind) {
    case 'inspect':
      return <Inspect of={of} item={dialog.item} scanned={dialog.serial ?? ''} close={close} />
    case 'decide':
      return <Decide of={of} items={dialog.items} close={close} />
    case 'propose':
      return <Propose of={of} close={close} />
    case 'add':
      return <AddItem of={of} code={dialog.code} close={close} />
    case 'exchange':
      return <Replacement of={of} item={dialog.item} close={close} />
    case 'link':
      return <LinkOrder of={of} close={close} open={open} />
    case 'confirm':
      return <ConfirmRefund of={of} no={dialog.no} close={close} />
    case 'deny':
    case 'waive':
    case 'reject':
    case 'cancel':
    case 'reopen':
      return <GiveReason of={of} dialog={dialog} close={close} />
  }
}

interface QuestionProps {
  title: string
  close: () => void
  error: CallError | null
  busy: boolean
  action: string
  ready?: boolean
  danger?: boolean
  run: () => void
  children: ReactNode
}

/** A dialog with one answer; what is refused stands above it. */
function Question({ title, close, error, busy, action, ready = true, danger = false, run, children }: QuestionProps) {
  const t = useT()
  return (
    <Dialog opened onClose={close} title={title}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (ready && !busy) run()
        }}
        onKeyDown={event => {
          // As in a field of text.
          if (event.key === 'Enter' && event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit()
        }}
      >
        <Stack gap="md">
          {children}
          {error ? (
            <Alert color="brick" role="alert">
              {errorSentence(error)}
            </Alert>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={busy}
              {...disabledBecause(!ready && t('Fill in all fields first'))}
              {...(danger && { color: 'brick' })}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface Own {
  of: Return
  close: () => void
}

/** 1, 2, 3 … of a short list. */
const numberKeys = <V extends string>(options: readonly V[], choose: (value: V) => void) =>
  Object.fromEntries(options.map((value, place) => [String(place + 1), () => choose(value)]))

function Inspect({ of, item, scanned, close }: Own & { item: ReturnItem; scanned: string }) {
  const t = useT()
  const { user } = useSignedIn()
  const [condition, setCondition] = useState<Condition>(item.condition ?? 'A')
  const [serial, setSerial] = useState(scanned || (item.serial ?? ''))
  const [serialReason, setSerialReason] = useState('')
  const [seen, setSeen] = useState(item.reason_code ?? '')
  const [note, setNote] = useState('')
  const [parts, setParts] = useState(() => item.accessories.filter(({ here }) => here).map(({ name }) => name))
  const [photo, setPhoto] = useState<File | null>(null)
  useDialogKeys(useMemo(() => numberKeys(conditions, setCondition), []))
  const reasons = useCall(returns.reasons, { company_id: of.company_id }, { fresh: 600_000 })
  const hasPhoto = of.files.some(file => file.item_id === item.id && file.kind === 'condition')
  const save = useCommand(
    async () => {
      if (photo) await send(returns.addFile, { id: of.id, kind: 'condition', item_id: item.id, upload: photo })
      return send(returns.inspect, {
        id: of.id,
        item_id: item.id,
        body: {
          condition,
          ...(seen !== '' && { reason_seen: seen }),
          ...(serial.trim() !== '' && { serial }),
          ...(serialReason.trim() !== '' && { serial_reason: serialReason }),
          ...(note.trim() !== '' && { note }),
          ...(item.accessories.length > 0 && { accessories: parts }),
        },
      })
    },
    {
      ...returnChange,
      quiet: true,
      done: answer => {
        const after = answer.items.find(one => one.id === item.id)
        if (after?.serial_check === 'wrong') setMismatch(true)
        else close()
      },
    },
  )
  const [mismatch, setMismatch] = useState(item.serial_check === 'wrong')
  useScanHandler({
    match: code => (item.needs_serial && code.kind !== 'refused' && code.kind !== 'command' ? code.text : null),
    handle: text => setSerial(text),
  })
  // It stands at the field, until something is written there.
  const asked = serial.trim() === '' ? save.error?.fields.serial : undefined
  const needsPhoto = condition !== 'A' && photo === null && !hasPhoto
  const words = (reasons.data ?? [])
    .filter(one => one.active || one.code === seen)
    .map(one => ({ value: one.code, label: reasonWord(one, user.locale ?? 'en_GB') }))
  return (
    <Question
      title={t('Inspect {{name}}', { name: item.name })}
      close={close}
      error={asked ? null : save.error}
      busy={save.isPending}
      action={mismatch ? t('Accept anyway') : t('Inspected')}
      ready={!needsPhoto && (!mismatch || serialReason.trim() !== '')}
      run={() => save.mutate(undefined)}
    >
      <Group gap="md" wrap="nowrap" align="flex-start">
        <PieceImage item={item} size={96} />
        <div className={style.what}>
          <span className={style.dim}>{item.sku}</span>
          {item.reason_note ? (
            <span className={style.name}>
              <q>{item.reason_note}</q>
            </span>
          ) : null}
          {item.sent_serials.length > 0 ? (
            <span className={style.dim}>{t('Sent with {{serials}}', { serials: item.sent_serials.join(', ') })}</span>
          ) : null}
        </div>
      </Group>
      <SegmentedControl
        aria-label={t('State of the item')}
        fullWidth
        value={condition}
        data={conditions.map(value => ({ value, label: conditionWord(value) }))}
        onChange={value => isOneOf(conditions, value) && setCondition(value)}
      />
      <KeysHint count={conditions.length} />
      {condition === 'A' ? null : (
        <Group gap="xs">
          <FileButton accept="image/jpeg,image/png,image/webp" capture="environment" onChange={setPhoto}>
            {props => (
              <Button {...props} variant="default" leftSection={<IconCamera size={16} />}>
                {photo || hasPhoto ? t('Another photo') : t('Take photo')}
              </Button>
            )}
          </FileButton>
          <span className={style.dim}>{photo?.name ?? (hasPhoto ? t('There is a photo') : t('This condition needs a photo'))}</span>
        </Group>
      )}
      {item.needs_serial || item.sent_serials.length > 0 || serial !== '' ? (
        <>
          <TextInput
            label={t('Serial number')}
            value={serial}
            maxLength={120}
            autoComplete="off"
            error={mismatch ? t('This serial number did not go out with the item') : asked ? t(asked) : undefined}
            onChange={event => {
              setMismatch(false)
              setSerial(event.currentTarget.value)
            }}
          />
          {mismatch || (item.needs_serial && serial.trim() === '') ? (
            <TextInput
              label={mismatch ? t('Why it is accepted') : t('Why it cannot be read')}
              value={serialReason}
              maxLength={200}
              onChange={event => setSerialReason(event.currentTarget.value)}
            />
          ) : null}
        </>
      ) : null}
      <Accessories item={item} ticked={parts} tick={setParts} />
      <NativeChoice label={t('Reason found')} value={seen} data={[{ value: '', label: '–' }, ...words]} choose={setSeen} />
      <Textarea
        label={t('Note')}
        value={note}
        maxLength={250}
        autosize
        minRows={2}
        onChange={event => setNote(event.currentTarget.value)}
      />
    </Question>
  )
}

/** Only where there is a keyboard. */
function KeysHint({ count }: { count: number }) {
  const t = useT()
  return (
    <Text size="xs" c="dimmed" visibleFrom="md" mt={-8}>
      {t('Keys 1 to {{count}} choose, Enter saves.', { count })}
    </Text>
  )
}

interface Chosen {
  /** '' until a person says it. */
  decision: Decision | ''
  bin: string
  deduction: number
}

/** What the customer keeps is decided with the approval. */
const toDecide = decisions.filter(value => value !== 'keep')

function Decide({ of, items, close }: Own & { items: readonly ReturnItem[] }) {
  const t = useT()
  const [chosen, setChosen] = useState<Record<number, Chosen>>(() =>
    Object.fromEntries(
      items.map(item => [item.id, { decision: firstDecision(item), bin: item.destination ?? item.product_bin ?? '', deduction: 0 }]),
    ),
  )
  const [only, ...others] = items
  const single = others.length === 0 ? only?.id : undefined
  const keys = useMemo(
    () =>
      single === undefined
        ? {}
        : numberKeys(toDecide, decision =>
            setChosen(all => {
              const before = all[single]
              return before ? { ...all, [single]: { ...before, decision } } : all
            }),
          ),
    [single],
  )
  useDialogKeys(keys)
  const save = useSend(returns.decide, { ...returnChange, quiet: true, done: close })
  const set = (id: number, change: Partial<Chosen>) =>
    setChosen(all => {
      const before = all[id]
      return before ? { ...all, [id]: { ...before, ...change } } : all
    })
  return (
    <Question
      title={t('What becomes of {{count}} items?', { count: items.length })}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={t('Decide')}
      ready={Object.values(chosen).every(({ decision }) => decision !== '')}
      run={() =>
        save.mutate({
          id: of.id,
          body: {
            version: of.version,
            items: items.flatMap(item => {
              const one = chosen[item.id]
              if (!one || one.decision === '') return []
              const { decision, bin, deduction } = one
              return {
                item_id: item.id,
                decision,
                ...(decision === 'restock' && bin.trim() !== '' && { bin: bin.trim() }),
                ...(deduction > 0 && { deduction }),
              }
            }),
          },
        })
      }
    >
      {items.map(item => {
        const one = chosen[item.id]
        return one ? (
          <Stack key={item.id} gap="xs" role="group" aria-label={item.name}>
            <Group gap="sm" wrap="nowrap">
              <PieceImage item={item} size={40} />
              <div className={style.what}>
                <span className={style.name}>{item.name}</span>
                {item.condition ? <span className={style.dim}>{conditionWord(item.condition)}</span> : null}
              </div>
            </Group>
            <NativeChoice
              label={t('Decision')}
              value={one.decision}
              data={[
                ...(one.decision === '' ? [{ value: '' as const, label: t('Choose a decision') }] : []),
                ...toDecide.map(value => ({ value, label: decisionWord(value) })),
              ]}
              choose={decision => set(item.id, { decision })}
            />
            {single === undefined ? null : <KeysHint count={toDecide.length} />}
            {one.decision === 'restock' ? (
              <TextInput
                label={t('Bin')}
                value={one.bin}
                maxLength={40}
                onChange={event => set(item.id, { bin: event.currentTarget.value })}
              />
            ) : null}
            {item.money === 'pending' ? (
              <Amount
                label={t('Deduction for wear')}
                currency={of.currency}
                value={one.deduction}
                most={item.amount}
                set={deduction => set(item.id, { deduction })}
              />
            ) : null}
          </Stack>
        ) : null
      })}
    </Question>
  )
}

interface AmountProps {
  label: string
  currency: string
  /** Minor units. */
  value: number
  most?: number
  set: (minor: number) => void
}

function Amount({ label, currency, value, most, set }: AmountProps) {
  const decimals = decimalsOf(currency)
  const unit = 10 ** decimals
  return (
    <NumberInput
      label={label}
      suffix={` ${currency}`}
      value={value / unit}
      min={0}
      {...(most !== undefined && { max: most / unit })}
      decimalScale={decimals}
      allowNegative={false}
      onChange={written => set(Math.round((Number(written) || 0) * unit))}
    />
  )
}

const isOwed = (item: ReturnItem): boolean =>
  (item.money === 'pending' || item.money === 'denied') && !isOneOf(['advised', 'in_transit', 'received', 'added'] as const, item.custody)

function Propose({ of, close }: Own) {
  const t = useT()
  const items = of.items.filter(isOwed)
  const goods = items.reduce((sum, { amount }) => sum + amount, 0)
  const wear = items.reduce((sum, { deduction }) => sum + deduction, 0)
  const [delivery, setDelivery] = useState(of.delivery_paid)
  const [deduction, setDeduction] = useState(0)
  const [note, setNote] = useState('')
  const taken = of.proposals.reduce((sum, { fee, state }) => sum + (state === 'denied' ? 0 : fee), 0)
  const fee = Math.max(0, Math.min(of.fee - taken, goods - Math.min(goods, wear + deduction)))
  const total = goods + delivery - Math.min(goods, wear + deduction) - fee
  const save = useSend(returns.propose, {
    ...returnChange,
    quiet: true,
    done: close,
    said: t('The refund is proposed to the shop'),
  })
  return (
    <Question
      title={t('Propose refund')}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={t('Propose {{amount}}', { amount: money(total, of.currency) })}
      run={() => save.mutate({ id: of.id, body: { item_ids: items.map(({ id }) => id), delivery, deduction, note, version: of.version } })}
    >
      <Text>
        {t('{{count}} items', { count: items.length })} · {money(goods, of.currency)}
        {wear > 0 ? ` · ${t('Deduction {{amount}}', { amount: money(-wear, of.currency) })}` : ''}
        {fee > 0 ? ` · ${t('Fee {{amount}}', { amount: money(-fee, of.currency) })}` : ''}
      </Text>
      <Amount label={t('Delivery refunded')} currency={of.currency} value={delivery} set={setDelivery} />
      <Amount label={t('Further deduction')} currency={of.currency} value={deduction} most={goods} set={setDeduction} />
      <Textarea
        label={t('Note to the shop')}
        value={note}
        maxLength={500}
        autosize
        minRows={2}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        {t('The shop pays and confirms. Nothing is paid from here.')}
      </Text>
    </Question>
  )
}

function ConfirmRefund({ of, no, close }: Own & { no: number }) {
  const t = useT()
  const proposal = of.proposals.find(one => one.no === no)
  const [reference, setReference] = useState('')
  const [paid, setPaid] = useState(proposal?.total ?? 0)
  const save = useSend(returns.confirm, { ...returnChange, quiet: true, done: close })
  return (
    <Question
      title={t('Mark as refunded')}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={t('Mark as refunded')}
      ready={reference.trim() !== ''}
      run={() => save.mutate({ id: of.id, no, body: { reference, paid } })}
    >
      <TextInput
        label={t('Reference of the refund')}
        description={t('As the shop or the payment provider names it')}
        value={reference}
        maxLength={returnLimits.reference}
        data-autofocus
        onChange={event => setReference(event.currentTarget.value)}
      />
      <Amount label={t('Paid')} currency={of.currency} value={paid} set={setPaid} />
    </Question>
  )
}

function GiveReason({
  of,
  dialog,
  close,
}: Own & { dialog: Extract<ReturnDialog, { kind: 'deny' | 'waive' | 'reject' | 'cancel' | 'reopen' }> }) {
  const t = useT()
  const [reason, setReason] = useState('')
  const { id, version } = of
  const save = useCommand(
    () => {
      const body = { reason, version }
      switch (dialog.kind) {
        case 'deny':
          return send(returns.deny, { id, no: dialog.no, body: { reason } })
        case 'waive':
          return send(returns.waive, { id, body: { ...body, item_ids: [dialog.item.id] } })
        case 'reject':
          return send(returns.reject, { id, body })
        case 'cancel':
          return send(returns.cancel, { id, body })
        case 'reopen':
          return send(returns.reopen, { id, body })
      }
    },
    { ...returnChange, quiet: true, done: close },
  )
  const titles = {
    deny: t('Deny refund'),
    waive: t('Deny refund'),
    reject: t('Reject return'),
    cancel: t('Cancel return'),
    reopen: t('Reopen return'),
  }
  return (
    <Question
      title={titles[dialog.kind]}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={titles[dialog.kind]}
      ready={reason.trim() !== ''}
      danger={dialog.kind !== 'reopen'}
      run={() => save.mutate(undefined)}
    >
      <Textarea
        label={t('Reason')}
        value={reason}
        maxLength={returnLimits.reason}
        autosize
        minRows={2}
        data-autofocus
        onChange={event => setReason(event.currentTarget.value)}
      />
    </Question>
  )
}

function AddItem({ of, code: scanned, close }: Own & { code: string }) {
  const t = useT()
  const [code, setCode] = useState(scanned)
  const [qty, setQty] = useState(1)
  const save = useSend(returns.add, { ...returnChange, quiet: true, done: close })
  useScanHandler({
    match: one => (one.kind === 'refused' || one.kind === 'command' ? null : one.text),
    handle: text => setCode(text),
  })
  return (
    <Question
      title={t('Add an item not announced')}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={t('Add item')}
      ready={code.trim() !== ''}
      run={() => save.mutate({ id: of.id, body: { code, qty } })}
    >
      <TextInput
        label={t('SKU or barcode')}
        value={code}
        maxLength={256}
        data-autofocus
        autoComplete="off"
        onChange={event => setCode(event.currentTarget.value)}
      />
      <WholeNumberInput
        label={t('Items')}
        value={qty}
        min={1}
        max={50}
        clampBehavior="strict"
        allowNegative={false}
        onChange={value => setQty(Number(value) || 1)}
      />
    </Question>
  )
}

/** What the customer gets instead; an empty field is the same product once more. */
function Replacement({ of, item, close }: Own & { item: ReturnItem }) {
  const t = useT()
  const [code, setCode] = useState('')
  const save = useSend(returns.exchange, { ...returnChange, quiet: true, said: t('Replacement saved'), done: close })
  useScanHandler({
    match: one => (one.kind === 'refused' || one.kind === 'command' ? null : one.text),
    handle: text => setCode(text),
  })
  return (
    <Question
      title={t('Replacement of {{name}}', { name: item.name })}
      close={close}
      error={save.error}
      busy={save.isPending}
      action={t('Save')}
      run={() => save.mutate({ id: of.id, item_id: item.id, body: { code: code.trim() || null, version: of.version } })}
    >
      {item.reason_note ? (
        <Text size="sm">
          <q>{item.reason_note}</q>
        </Text>
      ) : null}
      <TextInput
        label={t('SKU or barcode')}
        description={t('Empty: the same product')}
        value={code}
        maxLength={256}
        data-autofocus
        autoComplete="off"
        onChange={event => setCode(event.currentTarget.value)}
      />
    </Question>
  )
}

function LinkOrder({ of, close, open }: Own & { open: (id: number) => void }) {
  const t = useT()
  const [query, setQuery] = useState(of.claimed_order_no ?? '')
  const found = useCall(orders.search, { query, limit: 8 }, { enabled: query.trim().length > 1, keep: true })
  const likely = useCall(returns.likelyOrders, { id: of.id }, { fresh: 0 })
  const link = useSend(returns.link, {
    ...returnChange,
    quiet: true,
    done: answer => {
      close()
      open(answer.id)
    },
  })
  const isAsked = query.trim().length > 1
  const rows = isAsked
    ? (found.data?.rows ?? []).filter(row => row.company_id === of.company_id).map(row => ({ ...row, side: row.customer_name }))
    : (likely.data?.rows ?? []).map(row => ({ ...row, side: [row.customer, dayOf(row.ordered_at)].filter(Boolean).join(' · ') }))
  return (
    <Dialog opened onClose={close} title={t('Link to an order')}>
      <Stack gap="md">
        <TextInput
          label={t('Order or customer')}
          value={query}
          maxLength={200}
          data-autofocus
          autoComplete="off"
          onChange={event => setQuery(event.currentTarget.value)}
        />
        {link.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(link.error)}
          </Alert>
        ) : null}
        {!isAsked && rows.length > 0 ? <span className={style.dim}>{t('Orders that hold what was unpacked')}</span> : null}
        {rows.map(row => (
          <Button
            key={row.id}
            variant="default"
            justify="space-between"
            loading={link.isPending}
            rightSection={row.side}
            onClick={() => link.mutate({ id: of.id, order_id: row.id, body: { version: of.version } })}
          >
            {row.order_no}
          </Button>
        ))}
        {isAsked && found.data && rows.length === 0 ? <span className={style.dim}>{t('No order found')}</span> : null}
      </Stack>
    </Dialog>
  )
}
