/** The kiosk: a badge, a number or a name, then one large button. It works through a gap in the network. */
import { Avatar, Button, Checkbox, TextInput } from '@mantine/core'
import { IconBackspace, IconCloudOff } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { AnnouncementText } from '#features/company/announcements/AnnouncementText.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { dateIn, day, localOf, time, timeZone } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Pager } from '#ui/kit/Pager.tsx'
import { useNoShortcuts } from '#ui/kit/shortcuts.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { UnsentBadge } from '#ui/kit/UnsentBadge.tsx'
import { useBlockReload } from '#ui/query/app-config.ts'
import { onReconnect, useChanges } from '#ui/query/change-stream.ts'
import { ScannerHere, useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { FullPage } from '#ui/shell/FullPage.tsx'
import { doneFor, type KioskPerson, type KioskState } from './kiosk.client.ts'
import { canBeKiosk, openKiosk } from './kiosk-device.client.ts'
import { MakeKiosk } from './MakeKiosk.tsx'
import style from './PunchClock.module.css'
import { type EarlyWhy, type PunchType, punchTypes } from './punch.codes.ts'
import { hoursAndMinutes, passChoices, typeWord } from './punch-words.client.ts'
import { comesTwice, type Pass, type WrittenTimes, writtenSpan } from './written-times.rules.ts'

const kiosk = openKiosk()
onReconnect(() => kiosk.retryNow())
if (typeof window !== 'undefined') window.addEventListener('online', () => kiosk.retryNow())

/** Seconds after which the people and the server's time are asked for again. */
const refreshEvery = 60

export function PunchClockScreen() {
  return (
    <ScannerHere onUnknown={() => undefined}>
      <Kiosk />
    </ScannerHere>
  )
}

function Kiosk() {
  const t = useT()
  const state = useSyncExternalStore(kiosk.subscribe, kiosk.read)
  const { play } = useScanner()
  useNoShortcuts()
  useBlockReload(state.view !== 'idle' || state.waiting > 0, 'someone is clocking in')
  useOnlyKiosk()
  // The outside systems are the server and the clock.
  useEffect(() => {
    void kiosk.start()
    const timer = setInterval(() => void kiosk.refresh().catch(() => undefined), refreshEvery * 1_000)
    return () => {
      clearInterval(timer)
      kiosk.idle()
    }
  }, [])
  useChanges(['punch', 'people'], () => void kiosk.refresh().catch(() => undefined))
  const sound = useEffectEvent((view: KioskState['view']) => {
    if (view === 'done' || view === 'kept' || view === 'early') play('done')
    if (view === 'refused') play('error')
  })
  const { view } = state
  useEffect(() => sound(view), [view])
  useScanHandler({
    match: code => (code.kind === 'badge' ? code.text : null),
    handle: badge => void kiosk.identify({ badge }),
  })
  return (
    <FullPage title={t('Punch clock')} stationless state={state.waiting > 0 ? <UnsentBadge count={state.waiting} /> : null}>
      <div className={style.kiosk}>
        {state.offline ? (
          <p className={style.offline} role="status">
            <IconCloudOff size={24} aria-hidden /> {t('No network. Times are kept here.')}
          </p>
        ) : null}
        {canBeKiosk() ? (
          state.elsewhere ? (
            <Stopped title={t('The punch clock is open in another tab')}>{t('Close this tab, or the other one.')}</Stopped>
          ) : (
            <Shown state={state} />
          )
        ) : (
          <Stopped title={t('This page is not secure')}>{t('Open the punch clock with https:// in the address.')}</Stopped>
        )}
      </div>
    </FullPage>
  )
}

/** One page of the device is the kiosk: two would send kept taps twice. */
function useOnlyKiosk(): void {
  // The outside system is the browser's lock.
  useEffect(() => {
    if (!('locks' in navigator)) return
    const ended = new AbortController()
    const { signal } = ended
    const left = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    /** A lock that is given after the screen was left is given back at once. */
    const hold = async (lock: Lock | null): Promise<void> => {
      if (signal.aborted) return
      kiosk.setElsewhere(lock === null)
      if (lock !== null) await left
    }
    void navigator.locks.request('punch-clock', { ifAvailable: true }, hold)
    void navigator.locks.request('punch-clock', { signal }, hold).catch(() => undefined)
    return () => ended.abort()
  }, [])
}

function Shown({ state }: { state: KioskState }) {
  const { view, person } = state
  if (view === 'refused' && state.refusal) return <Refused refusal={state.refusal} />
  if (view === 'forgotten' && person?.forgotten) return <Forgotten person={person} forgotten={person.forgotten} />
  if (view === 'announcement' && person?.announcements[0])
    return <Announcement key={person.announcements[0].id} person={person} of={person.announcements[0]} />
  if (view === 'early' && person && state.tap?.early) return <Early person={person} tap={state.tap} shift_end={state.tap.early} />
  if ((view === 'done' || view === 'kept') && person && state.tap) return <Done person={person} tap={state.tap} kept={view === 'kept'} />
  if (view === 'person' && person) return <Choice person={person} />
  return <Idle state={state} />
}

function Clock() {
  const [now, setNow] = useState(() => kiosk.serverNow() ?? Date.now())
  // The outside system is the clock.
  useEffect(() => {
    const timer = setInterval(() => setNow(kiosk.serverNow() ?? Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = String(new Date(now).getUTCSeconds()).padStart(2, '0')
  return (
    <div className={style.clock}>
      <span className={style.digits}>
        {time(now)}
        <small>{seconds}</small>
      </span>
      <span>{day(dateIn(now))}</span>
    </div>
  )
}

/** The field keeps the focus, so that pad and keyboard can be mixed. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** Stable, so that an element gets the focus once, when it appears, and not at each drawing. */
const focusFirst = (element: HTMLElement | null): void => element?.focus()

type Mode = { by: 'number'; employee_no: string } | { by: 'picture'; user_id: number; name: string } | { by: 'faces' } | { by: 'none' }

function Idle({ state }: { state: KioskState }) {
  const t = useT()
  const [mode, setMode] = useState<Mode>({ by: 'none' })
  const busy = state.view === 'checking'
  const entered = (digits: string) => {
    if (mode.by === 'number') {
      void kiosk.identify({ employee_no: mode.employee_no, pin: digits })
      setMode({ by: 'none' })
    } else if (mode.by === 'picture') {
      void kiosk.identify({ user_id: mode.user_id, pin: digits })
      setMode({ by: 'none' })
    } else setMode({ by: 'number', employee_no: digits })
  }
  const asksPin = mode.by === 'number' || mode.by === 'picture'
  return (
    <div className={style.idle} data-busy={busy || undefined}>
      <section className={style.who}>
        <Clock />
        <h2 className={style.prompt}>
          {busy
            ? t('One moment…')
            : mode.by === 'picture'
              ? t('{{name}}, enter your PIN', { name: mode.name })
              : asksPin
                ? t('Enter your PIN')
                : t('Scan your badge or enter your number')}
        </h2>
        <In state={state} />
      </section>
      <section className={style.enter}>
        {mode.by === 'faces' ? (
          <Faces state={state} choose={(user_id, name) => setMode({ by: 'picture', user_id, name })} />
        ) : (
          <Pad
            key={mode.by}
            secret={asksPin}
            label={asksPin ? t('PIN') : t('Employee number')}
            shortest={asksPin ? 4 : 1}
            enter={entered}
          />
        )}
        <Button variant="default" size="lg" mih={56} onClick={() => setMode(mode.by === 'none' ? { by: 'faces' } : { by: 'none' })}>
          {mode.by === 'none' ? t('Choose your name') : t('Back')}
        </Button>
        {mode.by === 'none' ? <MakeKiosk /> : null}
      </section>
    </div>
  )
}

function Pad({ label, secret, shortest, enter }: { label: string; secret: boolean; shortest: number; enter: (digits: string) => void }) {
  const t = useT()
  const [digits, setDigits] = useState('')
  const press = (digit: string) => setDigits(before => (before.length < 8 ? before + digit : before))
  return (
    <form
      className={style.padForm}
      onSubmit={event => {
        event.preventDefault()
        if (digits.length >= shortest) enter(digits)
      }}
    >
      <TextInput
        size="xl"
        type={secret ? 'password' : 'text'}
        inputMode="none"
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        value={digits}
        onChange={event => setDigits(event.currentTarget.value.replace(/\D/g, '').slice(0, 8))}
        ref={focusFirst}
      />
      <div className={style.pad}>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(digit => (
          <button key={digit} type="button" onMouseDown={keepFocus} onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <button
          type="button"
          onMouseDown={keepFocus}
          onClick={() => setDigits(before => before.slice(0, -1))}
          aria-label={t('Delete last digit')}
        >
          <IconBackspace size={28} aria-hidden />
        </button>
        <button type="button" onMouseDown={keepFocus} onClick={() => press('0')}>
          0
        </button>
        <button
          type="submit"
          className={style.ok}
          onMouseDown={keepFocus}
          {...disabledBecause(digits.length < shortest && t('A PIN has 4 to 8 digits'))}
        >
          {t('OK')}
        </button>
      </div>
    </form>
  )
}

/** Everyone who has a PIN, twelve at a time. */
function Faces({ state, choose }: { state: KioskState; choose: (user_id: number, name: string) => void }) {
  const t = useT()
  const [query, setQuery] = useState('')
  const [page, setPage] = useState(0)
  const people = state.roster.filter(row => row.has_pin && row.first_name.toLowerCase().startsWith(query.trim().toLowerCase()))
  const shown = people.slice(page * 12, page * 12 + 12)
  return (
    <div className={style.faces}>
      <TextInput
        size="lg"
        aria-label={t('Search first name')}
        placeholder={t('Search first name')}
        value={query}
        onChange={event => {
          setQuery(event.currentTarget.value)
          setPage(0)
        }}
      />
      <ul>
        {shown.map(row => (
          <li key={row.user_id}>
            <button type="button" onClick={() => choose(row.user_id, row.first_name)}>
              <Avatar size={56} name={row.first_name} color="gray" aria-hidden />
              <span>{row.first_name}</span>
            </button>
          </li>
        ))}
      </ul>
      {people.length === 0 ? <p>{t('No one with a PIN has this name')}</p> : null}
      <Pager size="lg" page={page + 1} pages={Math.ceil(people.length / 12)} turn={next => setPage(next - 1)} />
    </div>
  )
}

/** Who is in, by kind of time. */
function In({ state }: { state: KioskState }) {
  const t = useT()
  const working = state.roster.filter(row => row.state !== null && row.state !== 'break')
  const resting = state.roster.filter(row => row.state === 'break')
  const group = (title: string, people: KioskState['roster'], mark: ReactNode) => (
    <div>
      <dt>
        {title} <b>{people.length}</b>
      </dt>
      {people.slice(0, 12).map(row => (
        <dd key={row.user_id}>
          {mark} {row.first_name}
        </dd>
      ))}
      {people.length > 12 ? <dd>{t('and {{count}} more', { count: people.length - 12 })}</dd> : null}
    </div>
  )
  return (
    <dl className={style.in}>
      {group(t('In now'), working, <span className={style.dotIn} aria-hidden />)}
      {group(t('On break'), resting, <span className={style.dotBreak} aria-hidden />)}
    </dl>
  )
}

interface Act {
  action: 'in' | 'out'
  type: PunchType
  label: string
}

/** What the person may tap now; the first is the usual one. */
function actsOf(t: ReturnType<typeof useT>, { open }: KioskPerson): Act[] {
  const enter = (type: PunchType, label: string): Act => ({ action: 'in', type, label })
  const others = punchTypes.filter(type => type !== 'work' && type !== open?.type).map(type => enter(type, typeWord(t, type)))
  if (!open) return [enter('work', t('Start work')), ...others.filter(act => act.type !== 'break')]
  const end: Act = { action: 'out', type: open.type, label: t('End work') }
  if (open.type !== 'work') return [enter('work', t('Back to work')), end, ...others]
  return [end, ...others]
}

/** The part of the day by the company's clock. */
function greeting(t: ReturnType<typeof useT>, name: string): string {
  const hour = Number.parseInt(time(kiosk.serverNow() ?? Date.now()), 10)
  if (hour < 5 || hour >= 22) return t('Hello, {{name}}', { name })
  if (hour < 11) return t('Good morning, {{name}}', { name })
  return hour < 18 ? t('Good afternoon, {{name}}', { name }) : t('Good evening, {{name}}', { name })
}

/** Number keys choose among the answers, Escape leaves. */
function useAnswerKeys<Answer>(answers: readonly Answer[], choose: (answer: Answer) => void, leave: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') leave()
    const answer = answers[Number(event.key) - 1]
    if (answer) choose(answer)
  })
  // The outside system is the keyboard.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

function Choice({ person }: { person: KioskPerson }) {
  const t = useT()
  const acts = actsOf(t, person)
  useAnswerKeys(acts, act => void kiosk.tap(act.action, act.type), kiosk.idle)
  return (
    <div className={style.choice}>
      <h2 className={style.name}>{greeting(t, person.first_name)}</h2>
      <p className={style.since}>
        {person.open
          ? t('{{type}} since {{time}}', { type: typeWord(t, person.open.type), time: time(person.open.since) })
          : t('Not clocked in')}
        {person.today_s === null ? '' : ` · ${t('{{hours}} today', { hours: hoursAndMinutes(person.today_s) })}`}
      </p>
      <div className={acts.length === 5 ? `${style.acts} ${style.answers}` : style.acts}>
        {acts.map((act, place) => (
          <button
            key={`${act.action} ${act.type}`}
            type="button"
            data-usual={place === 0 || undefined}
            onClick={() => void kiosk.tap(act.action, act.type)}
          >
            <kbd>{place + 1}</kbd>
            {act.label}
          </button>
        ))}
      </div>
      <Button variant="default" size="lg" mih={56} onClick={kiosk.idle}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

function Done({ person, tap, kept }: { person: KioskPerson; tap: NonNullable<KioskState['tap']>; kept: boolean }) {
  const t = useT()
  const what = tap.action === 'out' ? t('Clocked out') : tap.type === 'work' ? t('Clocked in') : typeWord(t, tap.type)
  return (
    <div className={style.signal} data-tone={kept ? 'soon' : 'done'} role="status">
      <span className={style.ring} style={{ animationDuration: `${doneFor}ms` }} aria-hidden />
      <p className={style.name}>{person.first_name}</p>
      <p className={style.what}>
        {what}
        {tap.at ? <b> {time(tap.at)}</b> : null}
      </p>
      {kept ? (
        <p className={style.sums}>{tap.at ? t('Kept here, sent when the network is back') : t('Kept here. A lead confirms the time.')}</p>
      ) : (
        <p className={style.sums}>
          {t('{{hours}} today', { hours: hoursAndMinutes(person.today_s ?? 0) })} ·{' '}
          {t('{{hours}} this week', { hours: hoursAndMinutes(person.week_s ?? 0) })}
        </p>
      )}
      {tap.leave_s === null ? null : (
        <p className={style.sums}>
          {tap.leave_s > 0 ? t('{{hours}} of leave reported', { hours: hoursAndMinutes(tap.leave_s) }) : t('Your answer is noted')}
        </p>
      )}
      {tap.duplicate ? <p className={style.sums}>{t('This was counted already')}</p> : null}
      <div className={style.after}>
        {kept || tap.duplicate || tap.leave_s !== null ? null : (
          <Button variant="white" color="dark" size="lg" mih={56} onClick={() => void kiosk.undo()}>
            {t('Undo')}
          </Button>
        )}
        <Button variant="white" color="dark" size="lg" mih={56} onClick={kiosk.goOn}>
          {t('OK')}
        </Button>
      </div>
    </div>
  )
}

/** Somebody has clocked out and goes early: why is asked, and who does not answer has clocked out all the same. */
function Early({ person, tap, shift_end }: { person: KioskPerson; tap: NonNullable<KioskState['tap']>; shift_end: string }) {
  const t = useT()
  const answers: { why: EarlyWhy; label: string }[] = [
    { why: 'finished', label: t('Finished for today') },
    { why: 'sick', label: t('Going home sick') },
    { why: 'child', label: t('My child is sick') },
    { why: 'agreed', label: t('Agreed with my lead') },
    { why: 'other', label: t('Another reason') },
  ]
  useAnswerKeys(answers, ({ why }) => void kiosk.explain(why), kiosk.goOn)
  return (
    <div className={style.choice}>
      <p className={style.since} role="status">
        {person.first_name} · {t('Clocked out')} {tap.at ? time(tap.at) : ''} ·{' '}
        {t('Your shift ends at {{time}}', { time: time(shift_end) })}
      </p>
      <h2 className={style.name}>{t('Why do you leave now?')}</h2>
      <div className={`${style.acts} ${style.answers}`}>
        {answers.map(({ why, label }, place) => (
          <button key={why} type="button" onClick={() => void kiosk.explain(why)}>
            <kbd>{place + 1}</kbd>
            {label}
          </button>
        ))}
      </div>
      <p className={style.since}>{t('Sick or child is sick: leave until the end of the shift is reported.')}</p>
      <div className={style.after}>
        <Button variant="default" size="lg" mih={56} onClick={kiosk.goOn}>
          {t('Skip')}
        </Button>
        {tap.kept ? null : (
          <Button variant="default" size="lg" mih={56} onClick={() => void kiosk.undo()}>
            {t('Undo clock-out')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Refused({ refusal }: { refusal: NonNullable<KioskState['refusal']> }) {
  const t = useT()
  const { time: since, ...values } = refusal.values
  const shown = typeof since === 'string' ? { ...values, time: time(since) } : refusal.values
  return (
    <div className={style.signal} data-tone="stop" role="alert">
      <p className={style.name}>{t(refusal.key, shown)}</p>
      <p className={style.sums}>{t('Ask your lead if this goes on.')}</p>
      {/* Who typed a number goes on by Enter. */}
      <Button variant="white" color="dark" size="lg" mih={56} onClick={kiosk.idle} ref={focusFirst}>
        {t('OK')}
      </Button>
    </div>
  )
}

function Stopped({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={style.signal} data-tone="stop" role="alert">
      <p className={style.name}>{title}</p>
      <p className={style.sums}>{children}</p>
    </div>
  )
}

/** What the person has to read after the clock-in. Who has no time is asked again at the next one. */
function Announcement({ person, of }: { person: KioskPerson; of: KioskPerson['announcements'][number] }) {
  const t = useT()
  const [read, setRead] = useState(false)
  const [error, setError] = useState('')
  const asks = of.mode === 'must_agree'
  return (
    <div className={style.reading}>
      <p className={style.since}>
        {person.first_name} · {asks ? t('Read and agree') : t('Read this')}
      </p>
      <article className={style.text}>
        <AnnouncementText {...of.text} />
      </article>
      {asks ? (
        <Checkbox
          size="lg"
          label={t('I have read this and agree')}
          checked={read}
          onChange={event => setRead(event.currentTarget.checked)}
        />
      ) : null}
      {error ? (
        <p className={style.since} role="alert">
          {error}
        </p>
      ) : null}
      <div className={style.after}>
        <Button
          size="lg"
          mih={56}
          {...disabledBecause(asks && !read && t('Tick the box above first'))}
          onClick={() => void kiosk.agree().catch((failure: unknown) => setError(errorSentence(failure)))}
        >
          {asks ? t('Agree') : t('Got it')}
        </Button>
        <Button variant="default" size="lg" mih={56} onClick={kiosk.idle}>
          {t('Later')}
        </Button>
      </div>
    </div>
  )
}

/** The clock-out that is missing: the person says when it was, and someone else decides. */
function Forgotten({ person, forgotten }: { person: KioskPerson; forgotten: NonNullable<KioskPerson['forgotten']> }) {
  const t = useT()
  const [left, setLeft] = useState('')
  const [pass, setPass] = useState<Pass>('')
  const [error, setError] = useState('')
  const started = localOf(forgotten.started_at)
  const times: WrittenTimes = { from: started.slice(11), from_pass: '', until: left, until_pass: pass }
  const twice = comesTwice(started.slice(0, 10), times, timeZone()).until
  const send = () => {
    const { until } = writtenSpan(started.slice(0, 10), times, timeZone())
    if (until === null) return setError(twice ? t('Select summer or winter time') : t('Enter the time as 16:00'))
    kiosk.correct(new Date(until).toISOString(), t('Entered at the punch clock')).catch((failure: unknown) => {
      setError(failure instanceof Error ? t(failure.message) : '')
    })
  }
  return (
    <form
      className={style.choice}
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <h2 className={style.name}>{person.first_name}</h2>
      <p className={style.since}>{t('You did not clock out on {{day}}. When did you leave?', { day: day(forgotten.work_date) })}</p>
      <p>{t('Clocked in at {{time}}', { time: time(forgotten.started_at) })}</p>
      <TextInput
        size="xl"
        type="time"
        aria-label={t('Left at')}
        value={left}
        error={error || null}
        onChange={event => setLeft(event.currentTarget.value)}
        ref={focusFirst}
      />
      {twice ? (
        <NativeChoice<Pass>
          size="xl"
          label={t('Clock at the end')}
          description={t('The clock shows this time twice.')}
          data={passChoices(t)}
          value={pass}
          choose={setPass}
        />
      ) : null}
      <div className={style.after}>
        <Button type="submit" size="lg" mih={56}>
          {t('Send to my lead')}
        </Button>
        <Button variant="default" size="lg" mih={56} onClick={kiosk.goOn}>
          {t('Later')}
        </Button>
      </div>
    </form>
  )
}
