/** An order being packed: what comes next, as large as the room allows; everything else beside it. */
import { ActionIcon, Button, NumberInput } from '@mantine/core'
import { IconAlertTriangle, IconBulb, IconInfoCircle, IconMinus, IconPlus, IconThumbUp } from '@tabler/icons-react'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { products } from '#features/orders/products/products.contract.ts'
import { country } from '#web/format.ts'
import { useMay } from '#web/session.ts'
import { useT } from '#web/translate.ts'
import { Picture } from '#web/ui/Picture.tsx'
import { bench as benchCalls } from '../bench/bench.contract.ts'
import style from './Bench.module.css'
import { BypassForm } from './BypassForm.tsx'
import { isDone, missing, nextLine } from './bench.rules.ts'
import { ByKey, Choices, CompanyTag, Deadline, LinePicture, LineRow, Message, Prompt, useSay, useTheBench } from './bench-parts.tsx'
import type { PackingLine, PackingOrder, ScanResult } from './packing.contract.ts'

export function BenchPacking({ order }: { order: PackingOrder }) {
  return (
    <div className={style.packing}>
      <div className={style.stage}>
        <Bar order={order} />
        <Stage order={order} />
        <Message />
      </div>
      <aside className={style.side}>
        <OrderFacts order={order} />
        <Notes order={order} />
        <Lines order={order} />
      </aside>
    </div>
  )
}

function Bar({ order }: { order: PackingOrder }) {
  const t = useT()
  const part = order.to_pack === 0 ? 100 : (order.packed / order.to_pack) * 100
  return (
    <div
      className={style.bar}
      role="progressbar"
      aria-label={t('Packed pieces')}
      aria-valuenow={order.packed}
      aria-valuemin={0}
      aria-valuemax={order.to_pack}
    >
      <span style={{ inlineSize: `${part}%` }} />
    </div>
  )
}

function Stage({ order }: { order: PackingOrder }) {
  const t = useT()
  const { bench, state } = useTheBench()
  const say = useSay()
  if (!state.warned) return <Warnings order={order} />
  if (state.dialog === 'bypass') return <BypassForm />
  if (state.dialog)
    return (
      <div className={style.asking}>
        <Prompt detail={state.dialog === 'finalize' ? <FinalizeDetail order={order} /> : t('Press the number, or Esc.')}>
          {t(dialogTitles[state.dialog])}
        </Prompt>
        <Choices choices={bench.choices()} />
      </div>
    )
  if (state.other)
    return (
      <div className={style.asking}>
        <Prompt
          eyebrow={t('Another order: {{order_no}}', { order_no: state.other.order_no })}
          detail={t('{{packed}} of {{to_pack}} pieces of order {{order_no}} are packed.', {
            packed: order.packed,
            to_pack: order.to_pack,
            order_no: order.order_no,
          })}
        >
          {t('Scan it once more to set this order aside')}
        </Prompt>
        <div className={style.buttons}>
          <Button size="lg" onClick={bench.primary}>
            {t('Set aside and open {{order_no}}', { order_no: state.other.order_no })}
          </Button>
          <Button size="lg" variant="default" onClick={bench.back}>
            {t('Go on with this order')}
          </Button>
        </div>
      </div>
    )
  if (state.linking) return <Linking order={order} />
  if (state.choosing)
    return (
      <div className={style.asking}>
        <Prompt
          eyebrow={<code>{state.choosing.code}</code>}
          detail={say({ text: state.choosing.text, values: state.choosing.values ?? {} })}
        >
          {t('Which one is it?')}
        </Prompt>
        <Choices choices={bench.choices()} lines={order.lines} />
      </div>
    )
  if (state.wrong) return <Wrong order={order} />
  return <Now order={order} />
}

const dialogTitles = {
  finalize: 'What happens to the rest?',
  hospital: 'Why is it set aside?',
  abort: 'Give the order back?',
} as const

function FinalizeDetail({ order }: { order: PackingOrder }) {
  const t = useT()
  const open = order.lines.filter(line => !isDone(line))
  return (
    <>
      <p>{t('{{packed}} of {{to_pack}} pieces are packed. These are missing:', { packed: order.packed, to_pack: order.to_pack })}</p>
      <ul className={style.missing}>
        {open.slice(0, 6).map(line => (
          <li key={line.order_line_id}>
            {missing(line)} × {line.name}
          </li>
        ))}
        {open.length > 6 ? <li>{t('and {{count}} more lines', { count: open.length - 6 })}</li> : null}
      </ul>
    </>
  )
}

/** What comes next. */
function Now({ order }: { order: PackingOrder }) {
  const t = useT()
  const { bench, state } = useTheBench()
  const line = nextLine(order.lines, state.asking)
  if (!line)
    return (
      <div className={style.asking}>
        <Prompt detail={order.to_pack === 0 ? t('This order holds nothing that has to be sent.') : null}>
          {order.to_pack === 0 ? t('Nothing to pack') : t('Everything is packed')}
        </Prompt>
        <div>
          <Button size="lg" onClick={bench.primary} rightSection={<ByKey keys="Enter" />}>
            {t('Close the order')}
          </Button>
        </div>
      </div>
    )
  const serial = state.asking === line.order_line_id
  return (
    <div className={`${style.now} ${serial ? style.nowSerial : ''}`} key={line.order_line_id}>
      <div className={style.nowPicture}>
        <LinePicture line={line} size="100%" />
      </div>
      <div className={style.nowWords}>
        <p className={style.eyebrow}>
          {serial ? t('Now its serial number') : line.no_barcode && !line.needs_serial ? t('Without a barcode: count it') : t('Scan next')}
        </p>
        <h2>{line.name}</h2>
        <p className={style.nowMeta}>
          {line.variant ? <b>{line.variant}</b> : null}
          {line.sku ? <code>{line.sku}</code> : null}
        </p>
        <div className={style.nowFacts}>
          {line.bin ? <span className={style.bigBin}>{line.bin}</span> : null}
          <span className={style.count}>
            <b>{line.packed_qty}</b>
            <span>{t('of {{qty}}', { qty: line.qty })}</span>
          </span>
        </div>
        {serial ? (
          <p className={style.serialHint}>
            {t('Scan the serial number of this piece. Esc leaves it.')}
            {line.serials.length > 0 ? <small>{line.serials.join(', ')}</small> : null}
          </p>
        ) : null}
        <Count line={line} />
      </div>
    </div>
  )
}

/** Counting by hand, where the product has no barcode or the person has the right. */
function Count({ line }: { line: PackingLine }) {
  const t = useT()
  const { bench } = useTheBench()
  const mayCount = useMay(access.scanAdmin)
  const [typed, setTyped] = useState<number | ''>('')
  if (line.needs_serial || !(line.no_barcode || mayCount)) return null
  const left = missing(line)
  return (
    <form
      className={style.countByHand}
      onSubmit={event => {
        event.preventDefault()
        if (typed !== '' && typed !== 0) bench.count(line.order_line_id, typed)
        setTyped('')
      }}
    >
      <ActionIcon
        size="xl"
        variant="default"
        aria-label={t('One less')}
        disabled={line.packed_qty === 0}
        onClick={() => bench.count(line.order_line_id, -1)}
      >
        <IconMinus size={20} />
      </ActionIcon>
      <NumberInput
        w="8rem"
        size="md"
        hideControls
        allowDecimal={false}
        min={-line.packed_qty}
        max={left}
        clampBehavior="strict"
        value={typed}
        onChange={value => setTyped(typeof value === 'number' ? value : '')}
        placeholder={t('How many')}
        aria-label={t('Count of {{name}}', { name: line.name })}
      />
      <ActionIcon size="xl" variant="default" aria-label={t('One more')} onClick={() => bench.count(line.order_line_id, 1)}>
        <IconPlus size={20} />
      </ActionIcon>
      {typed !== '' ? (
        <Button type="submit" size="md">
          {t('Count {{quantity}}', { quantity: typed })}
        </Button>
      ) : line.no_barcode ? (
        <Button size="md" onClick={() => bench.count(line.order_line_id, left)} rightSection={<ByKey keys="Enter" />}>
          {t('Count all {{quantity}}', { quantity: left })}
        </Button>
      ) : null}
    </form>
  )
}

const wrongTitles: Partial<Record<ScanResult, string>> = {
  wrong: 'Wrong product',
  unknown: 'Unknown code',
  over: 'One too many',
  serial_refused: 'Not this serial number',
}

/** The red screen: what was scanned, and what is expected. */
function Wrong({ order }: { order: PackingOrder }) {
  const t = useT()
  const say = useSay()
  const { bench, state } = useTheBench()
  const mayLink = useMay(access.scanAdmin)
  const { wrong } = state
  if (!wrong) return null
  const expected = nextLine(order.lines, state.asking)
  const meant = wrong.product ?? null
  const line = order.lines.find(one => one.order_line_id === wrong.line?.order_line_id)
  return (
    <div className={style.wrong} role="alert">
      <h2>{t(wrongTitles[wrong.result] ?? 'Stop')}</h2>
      <p className={style.wrongText}>{say(wrong)}</p>
      <div className={style.versus}>
        <figure>
          <figcaption>{t('You scanned')}</figcaption>
          {meant ? (
            <Picture
              from={meant.has_picture ? { call: products.picture, input: { id: meant.product_id } } : null}
              sku={meant.sku}
              name={meant.name}
              size="100%"
            />
          ) : line && wrong.result === 'over' ? (
            <LinePicture line={line} size="100%" />
          ) : (
            <div className={style.rawCode}>
              <code>{wrong.code}</code>
            </div>
          )}
          <b>{meant?.name ?? (wrong.result === 'over' ? line?.name : null) ?? t('No known product')}</b>
          <small>{meant?.sku ?? wrong.code}</small>
        </figure>
        {expected ? (
          <figure>
            <figcaption>{wrong.result === 'serial_refused' ? t('Serial number wanted of') : t('Next is')}</figcaption>
            <LinePicture line={expected} size="100%" />
            <b>{expected.name}</b>
            <small>{[expected.variant, expected.sku, expected.bin].filter(Boolean).join(' · ')}</small>
          </figure>
        ) : null}
      </div>
      <p className={style.wrongWay}>
        {t('Scan the right item, or press Esc.')}
        {wrong.result === 'unknown' && mayLink && order.lines.some(one => one.product_id !== null) ? (
          <Button variant="white" c="#1b2228" onClick={() => bench.beginLinking(wrong.code)}>
            {t('Link this code to a product')}
          </Button>
        ) : null}
      </p>
    </div>
  )
}

/** An unknown code becomes a product's: chosen once, and proved by scanning it again. */
function Linking({ order }: { order: PackingOrder }) {
  const t = useT()
  const { bench, state } = useTheBench()
  if (!state.linking) return null
  const { code, line_id } = state.linking
  const line = order.lines.find(one => one.order_line_id === line_id)
  return (
    <div className={style.asking}>
      <Prompt eyebrow={<code>{code}</code>} detail={line ? line.name : t('From then on this code means that product. Esc leaves it.')}>
        {line ? t('Scan the code once more to confirm') : t('Which product is it?')}
      </Prompt>
      {line ? <LinePicture line={line} size={180} /> : <Choices choices={bench.choices()} lines={order.lines} />}
    </div>
  )
}

function Warnings({ order }: { order: PackingOrder }) {
  const t = useT()
  const { bench } = useTheBench()
  return (
    <div className={style.warning} role="alert">
      <IconAlertTriangle size={64} aria-hidden />
      <h2>{t('Read this first')}</h2>
      {order.comments
        .filter(comment => comment.type === 'warning')
        .map(comment => (
          <blockquote key={comment.id}>
            {comment.comment}
            <cite>{comment.actor}</cite>
          </blockquote>
        ))}
      <Button size="xl" color="#1b2228" onClick={bench.primary} rightSection={<ByKey keys="Enter" />}>
        {t('I have read it')}
      </Button>
      <p>{t('Or scan the order code once more.')}</p>
    </div>
  )
}

function OrderFacts({ order }: { order: PackingOrder }) {
  const t = useT()
  const { state } = useTheBench()
  const { ship_to, shipping } = order
  return (
    <section className={style.facts}>
      <div className={style.factsTop}>
        <CompanyTag order={order} />
        {(order.session?.parcel_no ?? 1) > 1 ? (
          <span className={style.parcel}>{t('Parcel {{parcel}}', { parcel: order.session?.parcel_no })}</span>
        ) : null}
        <Deadline at={order.ship_by} />
      </div>
      <p className={style.shipTo}>
        <b>{ship_to.name || order.customer_name}</b>
        <span>{[ship_to.company, ship_to.address1].filter(Boolean).join(', ')}</span>
        <span>
          {[`${ship_to.postcode} ${ship_to.city}`.trim(), ship_to.country ? country(ship_to.country) : ''].filter(Boolean).join(', ')}
        </span>
      </p>
      {shipping.name || shipping.packing_text ? (
        <div className={style.method}>
          {shipping.has_picture ? (
            <Picture
              from={{ call: benchCalls.handlingPicture, input: { order_id: order.order_id } }}
              sku={t(shipping.name)}
              name={t(shipping.name)}
              size={96}
            />
          ) : null}
          <p>
            <b>{t(shipping.name)}</b>
            {shipping.packing_text ? <span>{shipping.packing_text}</span> : null}
          </p>
        </div>
      ) : null}
      {state.busy ? <span className={style.srOnly}>{t('Working')}</span> : null}
    </section>
  )
}

const noteIcons = { info: IconInfoCircle, praise: IconThumbUp, advice: IconBulb, warning: IconAlertTriangle } as const

function Notes({ order }: { order: PackingOrder }) {
  const t = useT()
  const words = { info: t('Information'), praise: t('Praise'), advice: t('Advice'), warning: t('Warning') }
  if (order.comments.length === 0) return null
  return (
    <ul className={style.notes} aria-label={t('Notes')}>
      {order.comments.map(note => {
        const Icon = noteIcons[note.type]
        return (
          <li key={note.id} className={style[`note_${note.type}`]}>
            <Icon size={20} aria-label={words[note.type]} />
            <span>
              {note.comment}
              <small>{note.actor}</small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Lines({ order }: { order: PackingOrder }) {
  const t = useT()
  const { bench, state } = useTheBench()
  const mayBypass = useMay(access.scan)
  const [unfolded, setUnfolded] = useState(false)
  const open = order.lines.filter(line => !isDone(line))
  const done = order.lines.filter(isDone)
  return (
    <section className={style.lines}>
      <h3>{t('{{packed}} of {{to_pack}} packed', { packed: order.packed, to_pack: order.to_pack })}</h3>
      <ul>
        {open.map(line => (
          <LineRow key={line.order_line_id} line={line} touched={state.touched === line.order_line_id} />
        ))}
      </ul>
      {done.length > 0 ? (
        <>
          <button type="button" className={style.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {t('{{count}} lines are done', { count: done.length })}
          </button>
          <ul>
            {(unfolded ? done : done.filter(line => line.order_line_id === state.touched)).map(line => (
              <LineRow key={line.order_line_id} line={line} touched={state.touched === line.order_line_id} />
            ))}
          </ul>
        </>
      ) : null}
      {mayBypass && open.length > 0 ? (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => bench.ask('bypass')}>
          {t('Pack without scanning …')}
        </Button>
      ) : null}
    </section>
  )
}
