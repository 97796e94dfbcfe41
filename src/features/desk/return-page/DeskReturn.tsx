/** A return that lies on the bench: the item that is next, what was sent beside what came back, and the keys that act now. */
import { Button, TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Accessories } from '#features/returns/returns/Accessories.tsx'
import { PieceImage } from '#features/returns/returns/PieceImage.tsx'
import { conditionWord, decisionWord } from '#features/returns/returns/return.labels.tsx'
import type { ReturnDialog } from '#features/returns/returns/return-dialog.client.ts'
import { returnChange } from '#features/returns/returns/return-refreshes.client.ts'
import { firstDecision } from '#features/returns/returns/return-states.rules.ts'
import { type Condition, conditions, type Decision } from '#features/returns/returns/returns.codes.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import type { Return, ReturnItem } from '#features/returns/returns/returns.schemas.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCommand, useSend } from '#ui/query/calls.ts'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { DeskKeys } from './DeskKeys.tsx'
import { DeskPhotoInput } from './DeskPhotoInput.tsx'
import { DeskSide } from './DeskSide.tsx'
import { escapeKey, useDeskKeys } from './desk-keys.client.ts'
import style from './ReturnsDesk.module.css'
import { returnPage } from './return-page.contract.ts'

const OrderPhotos = lazy(() => import('#features/packing/packing-photos/OrderPhotos.tsx'))
const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))
const ReturnDialogs = lazy(() => import('#features/returns/returns/ReturnDialogs.tsx'))

const waiting: readonly ReturnItem['custody'][] = ['advised', 'in_transit', 'received', 'added']
const deskDecisions = ['restock', 'send_back', 'scrap', 'repair'] as const satisfies readonly Decision[]

export function DeskReturn({ of, leave, open }: { of: Return; leave: () => void; open: (id: number) => void }) {
  const t = useT()
  const { play } = useScanner()
  const printer = useDevicePrinter('label')
  const file = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [condition, setCondition] = useState<Condition | null>(null)
  const [serial, setSerial] = useState('')
  const [parts, setParts] = useState<string[]>([])
  const [bin, setBin] = useState<string | null>(null)
  const [printed, setPrinted] = useState<ReturnItem | null>(null)
  const [said, setSaid] = useState('')
  const [dialog, setDialog] = useState<ReturnDialog | null>(null)
  const works = of.supported_actions.includes('inspect')
  const pending = of.items.filter(({ custody }) => waiting.includes(custody) || custody === 'inspected')
  const item = pending.find(({ id }) => id === chosen) ?? pending.find(({ serial_check }) => serial_check === 'wrong') ?? pending[0] ?? null
  const isInspected = item?.custody === 'inspected'
  const asksSerial = item !== null && !isInspected && item.needs_serial && serial === '' && item.serial_check !== 'wrong'
  const hasPhoto = of.files.some(one => one.item_id === item?.id && one.kind === 'condition')
  const next = (words: string) => {
    setSaid(words)
    setChosen(null)
    setCondition(null)
    setSerial('')
    setBin(null)
    setParts([])
  }
  const print = useSend(returnPage.printPutBack)
  const printLabel = (one: ReturnItem) => {
    setPrinted(one)
    if (printer !== null) print.mutate({ id: of.id, item_id: one.id, printer_id: printer, body: { client_id: crypto.randomUUID() } })
  }
  const inspect = useCommand(
    async ({ one, as, photo }: { one: ReturnItem; as: Condition; photo?: File }) => {
      if (photo) await send(returns.addFile, { id: of.id, kind: 'condition', item_id: one.id, upload: photo })
      return send(returns.inspect, {
        id: of.id,
        item_id: one.id,
        body: {
          condition: as,
          ...(serial !== '' && { serial }),
          ...(one.reason_code && { reason_seen: one.reason_code }),
          ...(one.accessories.length > 0 && { accessories: parts }),
        },
      })
    },
    {
      ...returnChange,
      done: (answer, { one }) => {
        const after = answer.items.find(({ id }) => id === one.id)
        play(after?.serial_check === 'wrong' ? 'error' : 'ok')
        setCondition(null)
        setChosen(one.id)
        setSaid(after?.condition ? `${one.name} · ${conditionWord(after.condition)}` : one.name)
      },
    },
  )
  const decide = useSend(returns.decide, {
    ...returnChange,
    done: (answer, { body }) => {
      const after = answer.items.find(({ id }) => id === body.items[0]?.item_id)
      play('ok')
      next(after?.decision ? [after.name, decisionWord(after.decision), after.bin].filter(Boolean).join(' · ') : '')
      if (after?.put_back_id != null) printLabel(after)
    },
  })
  const missing = useSend(returns.missing, {
    ...returnChange,
    done: (_, { item_id }) => next(`${of.items.find(({ id }) => id === item_id)?.name ?? ''} · ${t('Not in the parcel')}`),
  })
  const choose = (as: Condition) => {
    if (!item || inspect.isPending) return
    setCondition(as)
    if (as === 'A' || hasPhoto) inspect.mutate({ one: item, as })
    else setSaid(t('This condition needs a photo: F2'))
  }
  const settle = (decision: Decision) => {
    if (!item || decide.isPending) return
    const place = (bin ?? item.destination ?? item.product_bin ?? '').trim()
    decide.mutate({
      id: of.id,
      body: { items: [{ item_id: item.id, decision, ...(decision === 'restock' && place !== '' && { bin: place }) }] },
    })
  }
  useScanHandler({
    match: code => (dialog !== null || !works || code.kind === 'refused' || code.kind === 'command' ? null : code.text),
    handle: text => {
      const bySerial = pending.find(one => waiting.includes(one.custody) && one.sent_serials.includes(text))
      const byCode = pending.find(one => waiting.includes(one.custody) && isCodeOf(one, text))
      const meant = bySerial ?? byCode
      if (meant) {
        play('ok')
        setChosen(meant.id)
        setCondition(null)
        setSerial(bySerial ? text : '')
      } else if (item?.needs_serial && !isInspected) setSerial(text)
      else setDialog({ kind: 'add', code: text })
    },
  })
  const first = item && isInspected ? firstDecision(item) : ''
  const keys = useDeskKeys(
    [
      ...(item && works && !asksSerial && item.serial_check !== 'wrong'
        ? isInspected
          ? [
              ...deskDecisions.map((value, place) => ({
                code: String(place + 1),
                name: decisionWord(value),
                run: () => settle(value),
                onStage: true,
              })),
              ...(first === '' ? [] : [{ code: 'Enter', name: decisionWord(first), run: () => settle(first) }]),
            ]
          : [
              ...conditions.map((value, place) => ({
                code: String(place + 1),
                name: conditionWord(value),
                run: () => choose(value),
                onStage: true,
              })),
              { code: 'F2', name: t('Take photo'), run: () => file.current?.click() },
            ]
        : []),
      ...(item && works && !isInspected && !item.unannounced
        ? [
            {
              code: 'F4',
              name: t('Not in the parcel'),
              run: () => missing.mutate({ id: of.id, item_id: item.id, body: {} }),
            },
          ]
        : []),
      ...(works ? [{ code: 'F6', name: t('Extra item'), run: () => setDialog({ kind: 'add', code: '' }) }] : []),
      ...(printed
        ? [
            {
              code: 'F8',
              name: t('Put-back label again'),
              run: () => (printer === null ? setSaid(t('Select a label printer in the settings first')) : printLabel(printed)),
            },
          ]
        : []),
      ...(item ? [] : [{ code: 'Enter', name: t('Next parcel'), run: leave }]),
      { code: escapeKey, name: t('Leave return'), run: leave, isEscape: true },
    ],
    dialog !== null,
  )
  const stage = (tone: string | undefined, title: string, lead: string, children?: ReactNode) => (
    <section className={[style.stage, tone].filter(Boolean).join(' ')}>
      <h2>{title}</h2>
      <p className={style.lead}>{lead}</p>
      {children}
    </section>
  )
  return (
    <div className={style.frame}>
      {of.approved_at === null ? (
        stage(style.stop, t('Not approved'), t('Put the parcel aside until someone has approved this return.'))
      ) : item === null ? (
        stage(
          style.idle,
          of.items.length === 0 ? t('Nothing is announced') : t('All items are decided'),
          of.items.length === 0 ? t('Scan what lies in the parcel.') : t('Scan what else lies in the parcel, or take the next one.'),
        )
      ) : item.serial_check === 'wrong' ? (
        stage(
          style.stop,
          t('Wrong serial'),
          item.serial_order_no
            ? t('Serial belongs to {{order_no}}', { order_no: item.serial_order_no })
            : t('It did not go out with this order'),
          <Button size="lg" variant="white" color="dark" onClick={() => setDialog({ kind: 'inspect', item })}>
            {t('Accept with a reason')}
          </Button>,
        )
      ) : asksSerial ? (
        stage(
          style.ask,
          t('Scan the serial number'),
          item.name,
          <Button size="lg" variant="white" color="dark" onClick={() => setDialog({ kind: 'inspect', item })}>
            {t('It cannot be read')}
          </Button>,
        )
      ) : (
        <section className={style.stage}>
          <p className={style.note}>{isInspected ? t('What becomes of it?') : t('State of the item')}</p>
          <h2>{item.name}</h2>
          <div className={style.sides}>
            <section aria-label={t('Sent')}>
              <h3>{t('Sent')}</h3>
              <PieceImage item={item} size={192} />
              {item.sent_serials.length > 0 ? <span>{t('Sent with {{serials}}', { serials: item.sent_serials.join(', ') })}</span> : null}
              {of.order_id === null ? null : (
                <Suspense>
                  <OrderPhotos order_id={of.order_id} bare />
                  <OrderVideos order_id={of.order_id} />
                </Suspense>
              )}
            </section>
            <section aria-label={t('Received')}>
              <h3>{t('Received')}</h3>
              <Pictures of={of} item={item} />
              {isInspected && item.condition ? <p className={style.lead}>{conditionWord(item.condition)}</p> : null}
              {isInspected ? (
                <TextInput
                  label={t('Bin')}
                  maxLength={40}
                  value={bin ?? item.destination ?? item.product_bin ?? ''}
                  onChange={event => setBin(event.currentTarget.value)}
                />
              ) : null}
              {isInspected ? null : <Accessories item={item} ticked={parts} tick={setParts} />}
              <fieldset className={style.choices} aria-label={isInspected ? t('What becomes of it?') : t('State of the item')}>
                {isInspected
                  ? deskDecisions.map((value, place) => (
                      <Choice key={value} place={place} isOn={value === first} name={decisionWord(value)} run={() => settle(value)} />
                    ))
                  : conditions.map((value, place) => (
                      <Choice key={value} place={place} isOn={value === condition} name={conditionWord(value)} run={() => choose(value)} />
                    ))}
              </fieldset>
            </section>
          </div>
        </section>
      )}
      <p className={style.answer} role="status">
        {said}
      </p>
      <DeskSide of={of} current={item?.id ?? null} choose={setChosen} />
      <DeskKeys keys={keys} />
      <DeskPhotoInput
        input={file}
        taken={photo => {
          if (item) inspect.mutate({ one: item, as: condition ?? 'B', photo })
        }}
      />
      <Suspense>{dialog ? <ReturnDialogs of={of} dialog={dialog} close={() => setDialog(null)} open={open} /> : null}</Suspense>
    </div>
  )
}

const isCodeOf = ({ sku, barcode }: ReturnItem, text: string): boolean =>
  text === barcode || (sku !== null && text.toUpperCase() === sku.toUpperCase())

function Choice({ place, isOn, name, run }: { place: number; isOn: boolean; name: string; run: () => void }) {
  return (
    <button type="button" aria-pressed={isOn} onClick={run}>
      <kbd>{place + 1}</kbd>
      {name}
    </button>
  )
}

/** What the customer and the desk have photographed of the item. */
function Pictures({ of, item }: { of: Return; item: ReturnItem }) {
  const own = of.files.filter(({ item_id }) => item_id === item.id)
  if (own.length === 0) return null
  return (
    <div className={style.pictures}>
      {own.map(one => (
        <ImageView
          key={one.file_id}
          from={{ call: returns.file, input: { id: of.id, file_id: one.file_id } }}
          sku={of.rma_no}
          name={item.name}
          size={112}
        />
      ))}
    </div>
  )
}
