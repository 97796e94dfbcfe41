/** What every view of the station uses: the station itself, sentences, pictures, lines and numbered answers. */
import { Kbd } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconChecks, IconCircleDashed, IconClock, IconInfoCircle, IconScan } from '@tabler/icons-react'
import { createContext, type ReactNode, Suspense, use, useEffect, useState, useSyncExternalStore } from 'react'
import { products } from '#features/catalog/products/products.contract.ts'
import type { PackingLine, PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { shopColors } from '#features/shipping/tracking/shop-colors.rules.ts'
import { day, dayOf, duration, time } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { Kbd as KeyHint } from '#ui/kit/Kbd.tsx'
import { optionalPart } from '#ui/kit/optional-part.ts'
import { useT } from '#ui/kit/translate.ts'
import type { Choice, PackingState, Say, Situation, StationEvent } from './packing-model.rules.ts'
import { isDone, type Tone } from './station.rules.ts'
import { failureOf, type Station } from './station-effects.client.ts'
import { isCovered } from './station-keys.rules.ts'
import style from './station-parts.module.css'

const ProductLinks = optionalPart(() => import('#features/catalog/product-links/ProductLinks.tsx').then(module => module.ProductLinks))

/** A code that stands for one piece and is no SKU. */
const barcodeOf = ({ codes, sku }: PackingLine): string | null =>
  codes.find(({ code, quantity }) => quantity === 1 && code !== sku)?.code ?? null

export const StationContext = createContext<Station | null>(null)

interface StationView {
  state: PackingState
  situation: Situation
  dispatch: (event: StationEvent) => void
  /** Shows why a call of a view failed. */
  reportFailure: (error: unknown) => void
}

/** The station of this page, and what it shows now. */
export function useStation(): StationView {
  const station = use(StationContext)
  if (!station) throw new Error('There is no station above this component')
  return {
    state: useSyncExternalStore(station.subscribe, station.read),
    situation: station.situation(),
    dispatch: station.dispatch,
    reportFailure: error => station.dispatch({ type: 'failed', failure: failureOf(error) }),
  }
}

export function useSay(): (say: Pick<Say, 'text' | 'values'>) => string {
  const t = useT()
  return say => t(say.text, say.values ?? {})
}

/** A key that does the same as the button; phones have none. */
export const ByKey = ({ keys }: { keys: string }) => (
  <span className={style.byKey}>
    <KeyHint keys={keys} />
  </span>
)

/** As a `ref`: what a person writes or presses first here. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()

/** Milliseconds since 1970, again every so many seconds. */
export function useClock(seconds: number): number {
  const [now, setNow] = useState(Date.now)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return now
}

const icons: Record<Tone, typeof IconCheck> = {
  ok: IconCheck,
  line: IconChecks,
  done: IconChecks,
  attention: IconAlertTriangle,
  error: IconAlertTriangle,
  wrong_shop: IconAlertTriangle,
  ignored: IconInfoCircle,
}

/** The last answer, in one line at its fixed place under the stage; empty where the stage says it already, in larger letters. */
export function Message() {
  const t = useT()
  const { state } = useStation()
  const say = useSay()
  const { message, view, warned, forecast } = state
  // What is expected stands there like an answer.
  const unsent = forecast ? 0 : state.unsent
  const asksSerial = view === 'packing' && state.asking !== null && (message === null || message.tone === 'attention')
  const filled =
    isCovered(state) || (view === 'packing' && !warned) || (view === 'label_error' && message?.tone !== 'error' && state.heldBy === null)
  const said = filled && (message?.tone !== 'attention' || warned) ? null : message
  const text =
    unsent > 0 ? sending(t, state) : asksSerial && !filled ? t('Scan the serial number of this item, or go back.') : said && say(said)
  if (!text) return <p className={style.message} data-part="answer" />
  const tone = unsent > 0 ? 'sending' : asksSerial ? 'attention' : (said?.tone ?? 'ok')
  const Icon = tone === 'sending' ? IconCircleDashed : asksSerial ? IconScan : icons[tone]
  return (
    <p
      key={tone === 'sending' ? tone : message?.nth}
      className={`${style.message} ${style[`tone_${tone}`]}`}
      data-part="answer"
      role={tone === 'error' || tone === 'wrong_shop' ? 'alert' : 'status'}
      title={text}
    >
      <Icon size={24} aria-hidden />
      <span>{text}</span>
    </p>
  )
}

const sending = (t: ReturnType<typeof useT>, { cutOff, unsent }: PackingState) =>
  cutOff ? t('{{count}} scans wait for the connection', { count: unsent }) : t('Received')

export function LinePicture({
  line,
  size,
}: {
  line: Pick<PackingLine, 'product_id' | 'has_picture' | 'sku' | 'name'>
  size: number | string
}) {
  const from = line.has_picture && line.product_id !== null ? { call: products.picture, input: { id: line.product_id } } : null
  return <ImageView from={from} sku={line.sku ?? line.name} name={line.name} size={size} />
}

/** The company's own colour, readable on this paper and with what can be written upon it; undefined where it chose none. */
export function companyPaint(color: string | null): { background: string; color: string } | undefined {
  if (color === null) return undefined
  const shop = shopColors(color)
  return { background: `light-dark(${shop.light}, ${shop.dark})`, color: `light-dark(${shop.on_light}, ${shop.on_dark})` }
}

/** For whom: the company's name on its own colour. */
export function CompanyTag({ order }: { order: Pick<PackingOrder, 'company_name' | 'company_color'> }) {
  const paint = companyPaint(order.company_color)
  return (
    <span className={`${style.company} ${paint ? '' : style.companyPlain}`} style={paint}>
      {order.company_name}
    </span>
  )
}

/** Beside a row of a list: the company's colour, with its name for a screen reader. */
export function CompanyDot({ name, color }: { name: string; color: string | null }) {
  const paint = companyPaint(color)
  return <i className={`${style.companyDot} ${paint ? '' : style.companyPlain}`} style={paint} role="img" aria-label={name} title={name} />
}

/** When it leaves. `short`: the moment alone, at the end of a row; `chip`: a red field once it is overdue. */
export function Deadline({ at, short = false, chip = false }: { at: string | null; short?: boolean; chip?: boolean }) {
  const t = useT()
  const now = useClock(20)
  if (at === null) return null
  const left = new Date(at).getTime() - now
  const tone = left < 0 ? style.late : left < 3_600_000 ? style.soon : ''
  const Icon = left < 0 ? IconAlertTriangle : IconClock
  const near = Math.abs(left) < 12 * 3_600_000
  const words =
    left < 0
      ? near
        ? t('Overdue since {{time}}', { time: time(at) })
        : t('Overdue since {{when}}', { when: dayOf(at) })
      : near
        ? t('Leaves at {{time}}, in {{left}}', { time: time(at), left: duration(Math.floor(left / 60_000) * 60) })
        : t('Leaves {{when}}', { when: dayOf(at) })
  return (
    <span className={`${style.deadline} ${tone} ${left < 0 && chip ? style.overdue : ''}`} title={short ? words : undefined}>
      <Icon size={16} aria-hidden />
      {short ? (near ? time(at) : dayOf(at)) : words}
    </span>
  )
}

/** One line of the order, small: for lists. */
interface LineRowProps {
  line: PackingLine
  touched?: boolean
  note?: ReactNode
  /** Whose product it is: with it the product's links stand at the name. */
  company_id?: number
}

export function LineRow({ line, touched = false, note, company_id }: LineRowProps) {
  const done = isDone(line)
  return (
    <li className={`${style.line} ${done ? style.lineDone : ''} ${touched ? style.touched : ''}`}>
      <LinePicture line={line} size={44} />
      <span className={style.lineWords}>
        <b>
          {line.name}
          {company_id === undefined ? null : (
            <Suspense fallback={null}>
              <ProductLinks company_id={company_id} sku={line.sku} barcode={barcodeOf(line)} size={20} />
            </Suspense>
          )}
        </b>
        <small>
          {[line.bin, line.variant, line.sku, line.bundle].filter(Boolean).join(' · ')}
          {line.serials.length > 0 ? <> · {line.serials.join(', ')}</> : null}
        </small>
      </span>
      <span className={style.lineCount}>
        {done ? <IconCheck size={16} aria-hidden /> : null}
        {line.packed_qty}/{line.qty}
      </span>
      {note}
    </li>
  )
}

/** Numbered answers: a digit key chooses, so does a click. */
export function Choices<One extends Choice>({
  choices,
  onChoose,
  lines = [],
}: {
  choices: readonly One[]
  onChoose: (choice: One) => void
  lines?: readonly PackingLine[]
}) {
  const t = useT()
  return (
    <ol className={style.choices}>
      {choices.map((choice, at) => {
        const line = lines.find(one => one.order_line_id === choice.line_id)
        return (
          <li key={choice.key}>
            <button type="button" className={style.choice} disabled={choice.closed !== undefined} onClick={() => onChoose(choice)}>
              <Kbd size="lg">{at + 1}</Kbd>
              {line ? <LinePicture line={line} size={72} /> : null}
              <span>
                <b>{line ? choice.text : t(choice.text, { ...choice.values, ...(choice.day && { day: day(choice.day) }) })}</b>
                {choice.closed !== undefined ? (
                  <small>{t(choice.closed)}</small>
                ) : line ? (
                  <small>
                    {[line.variant, line.sku, line.bin].filter(Boolean).join(' · ')} · {line.packed_qty}/{line.qty}
                  </small>
                ) : choice.note ? (
                  <small>{choice.note}</small>
                ) : choice.detail ? (
                  <small>{t(choice.detail)}</small>
                ) : null}
              </span>
              {choice.company ? <CompanyTag order={{ company_name: choice.company.name, company_color: choice.company.color }} /> : null}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** The large words in the middle of the screen. */
export function Prompt({ eyebrow, children, detail }: { eyebrow?: ReactNode; children: ReactNode; detail?: ReactNode }) {
  return (
    <div className={style.prompt}>
      {eyebrow ? <p className={style.eyebrow}>{eyebrow}</p> : null}
      <h2>{children}</h2>
      {detail ? <div className={style.detail}>{detail}</div> : null}
    </div>
  )
}
