/** Which wagon to walk with: one's own first, then what waits for somebody. */
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { confirm } from '#ui/kit/Confirm.tsx'
import { instant, relative, time } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastError, toastInfo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { CallError } from '#ui/query/call-error.ts'
import { keyOf, useCall } from '#ui/query/calls.ts'
import { invalidate } from '#ui/query/query-invalidation.ts'
import { useScanHandler } from '#ui/scanner/handlers.tsx'
import style from './Pick.module.css'
import { usePicker } from './pick-parts.tsx'
import { picking } from './picking.contract.ts'
import { sentences, unbegunMinutes } from './picking.rules.ts'
import type { WagonCard } from './picking.schemas.ts'

export function PickWagons() {
  const t = useT()
  const { picker, state } = usePicker()
  const cache = useQueryClient()
  const list = useCall(picking.wagons, {}, { live: ['pick_list', 'pick_wagon'], fresh: 0 })

  async function claim(card: Pick<WagonCard, 'pick_list_id' | 'wagon_no'>, how: { take_over?: boolean; join?: boolean } = {}) {
    try {
      await picker.claim(card.pick_list_id, card.wagon_no, how)
    } catch (error) {
      void invalidate(cache, { queryKey: keyOf(picking.wagons) })
      // Somebody was faster: say so, and let the picker decide.
      if (error instanceof CallError && error.code === 'wagon_claimed' && !how.take_over) {
        const over = await confirm({
          title: t(sentences.running, error.values),
          body: t('What {{name}} has not sent yet is counted all the same.', { name: error.values.name ?? '' }),
          action: t('Take over'),
        })
        if (over) await claim(card, { ...how, take_over: true })
      } else toastError(error)
    }
  }

  // A list's own barcode gives its next wagon.
  useScanHandler({
    layer: 'screen',
    match: code => (code.kind === 'pick_list' ? code.id : undefined),
    handle: id => {
      const card = [...(list.data?.mine ?? []), ...(list.data?.free ?? [])].find(one => one.pick_list_id === id)
      if (card) void claim(card)
      else toastInfo(t('List {{list}} has no wagon that waits', { list: id }))
    },
  })

  return (
    <div className={style.wagons}>
      <QueryState of={list} shape="rows">
        {({ mine, free, others }) => (
          <>
            {mine.length + free.length + others.length === 0 ? (
              <div className={style.nothing}>
                <h2>{t('No wagon waits')}</h2>
                <p>{t('As soon as the office makes a pick list, its wagons stand here.')}</p>
              </div>
            ) : null}
            <Section title={t('Yours')} cards={mine}>
              {(card, first) => (
                <Button
                  size="xl"
                  fullWidth
                  variant={first ? 'filled' : 'default'}
                  loading={state.busy}
                  onClick={() => void claim(card)}
                  className={style.thumb}
                >
                  {card.state === 'claimed' ? t('Start') : t('Continue')}
                </Button>
              )}
            </Section>
            <Section title={t('Waiting for someone')} cards={free}>
              {(card, first) => (
                <Button
                  size="xl"
                  fullWidth
                  variant={mine.length === 0 && first ? 'filled' : 'default'}
                  loading={state.busy}
                  onClick={() => void claim(card)}
                  className={style.thumb}
                >
                  {t('Start wagon')}
                </Button>
              )}
            </Section>
            <Section title={t('With colleagues')} cards={others}>
              {card => (
                <div className={style.two}>
                  <Button
                    size="lg"
                    variant="default"
                    loading={state.busy}
                    onClick={() => void claim(card, { join: true })}
                    className={style.thumb}
                  >
                    {t('Join')}
                  </Button>
                  <Button size="lg" variant="default" loading={state.busy} onClick={() => void claim(card)} className={style.thumb}>
                    {t('Take over')}
                  </Button>
                </div>
              )}
            </Section>
          </>
        )}
      </QueryState>
    </div>
  )
}

/** When the first of the wagon's orders has to leave; overdue in red with its date. */
function ShipBy({ at }: { at: string | null }) {
  const t = useT()
  if (at === null) return null
  if (Date.parse(at) < Date.now())
    return (
      <span className={style.overdue}>
        <IconAlertTriangle size={16} aria-hidden />
        {t('Overdue since {{time}}', { time: instant(at) })}
      </span>
    )
  return <RelativeTime at={at} />
}

function Section({
  title,
  cards,
  children,
}: {
  title: string
  cards: readonly WagonCard[]
  /** `first`: the card at the top of its section. */
  children: (card: WagonCard, first: boolean) => React.ReactNode
}) {
  const t = useT()
  if (cards.length === 0) return null
  return (
    <section>
      <h2 className={style.heading}>{title}</h2>
      {cards.map((card, index) => (
        <article key={`${card.pick_list_id}.${card.wagon_no}`} className={style.card}>
          <header>
            <h3>{t('List {{list}} · wagon {{wagon}}', { list: card.pick_list_id, wagon: card.wagon_no })}</h3>
            <ShipBy at={card.ship_by} />
          </header>
          <p className={style.figures}>
            <span>{t('{{count}} orders', { count: card.orders })}</span>
            <span>
              {card.lines_done > 0
                ? t('{{n}} of {{all}} lines', { n: card.lines_done, all: card.lines })
                : t('{{count}} lines', { count: card.lines })}
            </span>
            <span>{t('{{count}} stops', { count: card.stops })}</span>
            {card.metres === null ? null : <span>{t('{{n}} m', { n: card.metres })}</span>}
            {card.minutes ? <span>{t('{{n}} min', { n: card.minutes })}</span> : null}
          </p>
          {card.state === 'claimed' && card.last_at ? (
            <p className={style.dim}>
              {t('Not started: from {{time}} anyone may take it', { time: time(Date.parse(card.last_at) + unbegunMinutes * 60_000) })}
            </p>
          ) : null}
          {card.pickers.length > 0 && card.user_name ? (
            <p className={style.dim}>
              {card.pickers.join(', ')}
              {card.last_at ? ` · ${relative(card.last_at)}` : ''}
              {card.idle ? ` · ${t('paused')}` : ''}
            </p>
          ) : card.first_bin ? (
            <p className={style.dim}>{t('Begins at {{bin}}', { bin: card.first_bin })}</p>
          ) : null}
          {children(card, index === 0)}
        </article>
      ))}
    </section>
  )
}
