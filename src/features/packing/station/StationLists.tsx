/** Beside the stage while no order is open: what comes next, what was set aside, and what just left. Loaded after the prompt. */

import { ActionIcon } from '@mantine/core'
import { IconCheck, IconInboxOff, IconPrinter, IconStack2 } from '@tabler/icons-react'
import { useDevice } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { relative, time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useQueue } from './IdleView.tsx'
import style from './StationLists.module.css'
import { packingStation } from './station.contract.ts'
import { CompanyDot, Deadline, useSay, useStation } from './station-parts.tsx'

export default function StationLists() {
  return (
    <div className={style.lists}>
      <Queue />
      <Exceptions />
      <Recent />
    </div>
  )
}

/** The next orders with their totes, and the own count. */
function Queue() {
  const t = useT()
  const { dispatch } = useStation()
  const queue = useQueue()
  const rows = queue.data?.next ?? []
  return (
    <section aria-labelledby="station-queue">
      <h3 id="station-queue">
        <IconStack2 size={20} aria-hidden /> {t('Next up')}
        {queue.data ? <small>{t('You today: {{count}}', { count: queue.data.packed_today })}</small> : null}
      </h3>
      {rows.length === 0 ? (
        <p className={style.quiet}>{queue.data ? t('No order waits to be packed') : null}</p>
      ) : (
        <ul>
          {rows.map(row => (
            <li key={row.order_id}>
              <button
                type="button"
                className={style.row}
                onClick={() => dispatch({ type: 'open', order_id: row.order_id, order_no: row.order_no })}
              >
                <CompanyDot name={row.company_name} color={row.company_color} />
                <b>{row.tote ?? row.order_no}</b>
                <span className={style.words}>
                  {row.customer_name}
                  <small>{row.tote ? row.order_no : row.company_name}</small>
                </span>
                <Deadline at={row.ship_by} short />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Exceptions() {
  const t = useT()
  const say = useSay()
  const { dispatch } = useStation()
  const waiting = useCall(packingStation.waiting, {}, { live: ['packing', 'order'] })
  const rows = waiting.data ?? []
  if (waiting.error && !waiting.data) return <ErrorState error={waiting.error} again={() => void waiting.refetch()} />
  return (
    <section aria-labelledby="station-exceptions">
      <h3 id="station-exceptions">
        <IconInboxOff size={20} aria-hidden /> {t('Exceptions')}
        {rows.length > 0 ? <span className={style.badge}>{rows.length}</span> : null}
      </h3>
      {rows.length === 0 ? (
        <p className={style.quiet}>{t('Nothing waits here.')}</p>
      ) : (
        <ul>
          {rows.map(row => (
            <li key={row.order_id}>
              <button
                type="button"
                className={style.row}
                onClick={() => dispatch({ type: 'open', order_id: row.order_id, order_no: row.order_no })}
              >
                <CompanyDot name={row.company_name} color={row.company_color} />
                <b>{row.order_no}</b>
                <span className={style.words}>
                  {row.state === 'label_error'
                    ? t('Label error')
                    : row.state === 'label_check'
                      ? t('Label not checked')
                      : row.state === 'parked'
                        ? t('Parked')
                        : t('Left open')}
                  {row.reason ? <small>{say({ text: row.reason })}</small> : null}
                </span>
                <small className={style.below}>
                  {row.packed}/{row.to_pack} · {row.user_name}, {row.station} · {relative(row.since)}
                </small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Recent() {
  const t = useT()
  const { dispatch } = useStation()
  const station = useDevice('packingStation') ?? ''
  const recent = useCall(packingStation.recent, { station }, { live: ['packing'] })
  const rows = recent.data ?? []
  return (
    <section aria-labelledby="station-recent">
      <h3 id="station-recent">
        <IconCheck size={20} aria-hidden /> {t('Packed last')}
      </h3>
      {rows.length === 0 ? (
        <p className={style.quiet}>{t('The orders that you pack here appear in this list.')}</p>
      ) : (
        <ul>
          {rows.map(row => (
            <li key={`${row.order_id}-${row.packed_at}`} className={style.recent}>
              <CompanyDot name={row.company_name} color={row.company_color} />
              <b>{row.order_no}</b>
              <span className={style.words}>
                {row.customer_name}
                {row.tracking_nos.length > 0 ? null : <small>{row.company_name}</small>}
              </span>
              <small>{time(row.packed_at)}</small>
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => dispatch({ type: 'reprint', order_id: row.order_id, order_no: row.order_no })}
                aria-label={t('Print the label of {{order_no}} again', { order_no: row.order_no })}
                title={t('Print the label of {{order_no}} again', { order_no: row.order_no })}
                {...disabledBecause(row.parcels === 0 && t('It has no label'))}
              >
                <IconPrinter size={24} />
              </ActionIcon>
              {row.tracking_nos.length > 0 ? (
                <small className={style.numbers}>
                  {row.tracking_nos.map(tracking_no => (
                    <span key={tracking_no}>{tracking_no}</span>
                  ))}
                </small>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
