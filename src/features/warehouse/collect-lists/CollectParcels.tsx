/** The parcels of a list, narrowed to what is looked for: all, scanned, missing, or what does not belong. */
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconPackageOff, IconSearch, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { number, time, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './Collect.module.css'
import { resultWord, StandingBadge } from './collect-list.labels.tsx'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import { extraOf } from './collect-lists.rules.ts'
import type { CollectList, CollectParcel, OverScan } from './collect-lists.schemas.ts'

export type Show = 'all' | 'scanned' | 'missing' | 'over'

const isMissing = (parcel: CollectParcel) => parcel.standing === 'expected' || parcel.standing === 'missing'
const isScanned = (parcel: CollectParcel) => parcel.standing === 'scanned'

/** As many rows as are drawn before somebody asks for more. */
const step = 200

export function CollectParcels({ list, show, setShow }: { list: CollectList; show: Show; setShow: (show: Show) => void }) {
  const t = useT()
  const [query, setQuery] = useState('')
  const [most, setMost] = useState(step)
  const counts = {
    all: list.parcels.length,
    scanned: list.parcels.filter(isScanned).length,
    missing: list.parcels.filter(isMissing).length,
    over: extraOf(list.over).length,
  }
  const shown = useMemo(() => {
    const words = query.trim().toLowerCase()
    const of = list.parcels.filter(parcel => (show === 'scanned' ? isScanned(parcel) : show === 'missing' ? isMissing(parcel) : true))
    const found = words
      ? of.filter(parcel => [parcel.tracking_no, parcel.order_no, parcel.receiver].some(text => text?.toLowerCase().includes(words)))
      : of
    // What has to be looked for or taken out stands first; of the scanned ones the latest.
    const rank = (parcel: CollectParcel) => ['take_out', 'missing', 'expected', 'scanned'].indexOf(parcel.standing)
    return found.toSorted(
      (a, b) => place(rank(a)) - place(rank(b)) || (b.scanned_at ?? '').localeCompare(a.scanned_at ?? '') || a.shipment_id - b.shipment_id,
    )
  }, [list.parcels, show, query])
  return (
    <section className={style.parcels} aria-label={t('Parcels')}>
      <div className={style.parcelTools}>
        <SegmentedControl
          aria-label={t('Which parcels')}
          value={show}
          onChange={value => setShow(value)}
          data={[
            { value: 'all', label: `${t('All')} ${number(counts.all)}` },
            { value: 'scanned', label: `${t('Scanned')} ${number(counts.scanned)}` },
            { value: 'missing', label: `${t('Missing')} ${number(counts.missing)}` },
            { value: 'over', label: `${t('Extra')} ${number(counts.over)}` },
          ]}
        />
        {show === 'over' || list.parcels.length < 12 ? null : (
          <TextInput
            aria-label={t('Tracking, order or recipient')}
            placeholder={t('Tracking, order or recipient')}
            leftSection={<IconSearch size={16} />}
            value={query}
            onChange={event => setQuery(event.currentTarget.value)}
          />
        )}
      </div>
      {show === 'over' ? (
        <Overs list={list} />
      ) : shown.length === 0 ? (
        <p className={style.nothing}>
          {show === 'missing'
            ? t('Nothing is missing.')
            : show === 'scanned'
              ? t('Nothing is scanned yet.')
              : t('No parcel is on this list yet.')}
        </p>
      ) : (
        <ul className={style.rows}>
          {shown.slice(0, most).map(parcel => (
            <Row key={parcel.shipment_id} list={list} parcel={parcel} />
          ))}
        </ul>
      )}
      {show !== 'over' && shown.length > most ? (
        <Button variant="default" size="compact-md" onClick={() => setMost(most + 1_000)}>
          {t('Show {{count}} more', { count: shown.length - most })}
        </Button>
      ) : null}
    </section>
  )
}
const place = (rank: number) => (rank < 0 ? 9 : rank)

function Row({ list, parcel }: { list: CollectList; parcel: CollectParcel }) {
  const t = useT()
  const orders = useIsAllowed(access.parcels)
  const refreshes = [collectLists.get, collectListsOwn.overview]
  const undo = useSend(collectListsOwn.undo, { refreshes, said: t('Scan undone') })
  const out = useSend(collectListsOwn.takeOut, { refreshes, said: t('The parcel is off the list') })
  const running = list.state === 'open' || list.state === 'scanning'
  return (
    <li className={style.row} data-standing={parcel.standing}>
      <span className={style.number}>{parcel.tracking_no ?? '–'}</span>
      <span className={style.order}>
        {orders && parcel.order_id !== null ? (
          <Link to="/parcels/orders" search={{ id: parcel.order_id }}>
            {parcel.order_no}
          </Link>
        ) : (
          parcel.order_no
        )}
        {parcel.consignment_parcels > 1 ? (
          <span className={style.dim}>
            {' · '}
            {t('Parcel {{n}} of {{count}}', { n: parcel.parcel_no, count: parcel.consignment_parcels })}
          </span>
        ) : parcel.parcel_no > 1 ? (
          <span className={style.dim}> · {t('Parcel {{number}}', { number: parcel.parcel_no })}</span>
        ) : null}
      </span>
      <span className={style.who}>
        {parcel.receiver}
        <span className={style.dim}> {[parcel.city, parcel.country].filter(Boolean).join(', ')}</span>
      </span>
      <span className={style.grams}>{parcel.weight_g > 0 ? weight(parcel.weight_g) : ''}</span>
      <span className={style.stands}>
        <StandingBadge parcel={parcel} />
        {parcel.scanned_at && (isScanned(parcel) || parcel.standing === 'take_out') ? (
          <span className={`${style.dim} ${style.byWhom}`}>{[time(parcel.scanned_at), parcel.scanned_by].filter(Boolean).join(' ')}</span>
        ) : null}
      </span>
      <span className={style.actions}>
        {parcel.standing === 'take_out' ? (
          <Button
            size="compact-md"
            color="brick"
            leftSection={<IconPackageOff size={16} />}
            loading={out.isPending}
            onClick={() => out.mutate({ id: list.id, body: { shipment_id: parcel.shipment_id } })}
          >
            {t('It is out')}
          </Button>
        ) : running && parcel.standing === 'scanned' ? (
          <Button
            size="compact-md"
            variant="subtle"
            leftSection={<IconArrowBackUp size={16} />}
            loading={undo.isPending}
            onClick={() => undo.mutate({ id: list.id, body: { scan_id: crypto.randomUUID(), shipment_id: parcel.shipment_id } })}
          >
            {t('Undo')}
          </Button>
        ) : null}
      </span>
    </li>
  )
}

/** Parcels that do not belong, and below them codes that are no parcel's and can be removed. */
function Overs({ list }: { list: CollectList }) {
  const t = useT()
  const extra = extraOf(list.over)
  const unknown = list.over.filter(over => over.result === 'unknown')
  return (
    <>
      {extra.length === 0 ? (
        <p className={style.nothing}>{t('Nothing was scanned that does not belong.')}</p>
      ) : (
        <Scans list={list} scans={extra} />
      )}
      {unknown.length === 0 ? null : (
        <section aria-label={t('Unknown codes')}>
          <h3 className={style.unknown}>{t('Unknown codes')}</h3>
          <Scans list={list} scans={unknown} />
        </section>
      )}
    </>
  )
}

function Scans({ list, scans }: { list: CollectList; scans: readonly OverScan[] }) {
  const t = useT()
  const remove = useSend(collectListsOwn.undo, { refreshes: [collectLists.get], said: t('Code removed') })
  const running = list.state === 'open' || list.state === 'scanning'
  return (
    <ul className={style.rows}>
      {scans.map(over => (
        <li key={over.scan_id} className={style.row}>
          <span className={style.number}>{over.code}</span>
          <span className={style.who}>
            <StateBadge tone={over.result === 'elsewhere' || over.result === 'gone' || over.result === 'not_packed' ? 'soon' : 'stop'}>
              {resultWord(over.result, String(over.values.cage ?? ''))}
            </StateBadge>
          </span>
          <span className={style.dim}>{[time(over.at), over.by].filter(Boolean).join(' ')}</span>
          {over.result === 'unknown' && running ? (
            <span className={style.actions}>
              <Button
                size="compact-md"
                variant="subtle"
                leftSection={<IconX size={16} />}
                loading={remove.isPending}
                onClick={() => remove.mutate({ id: list.id, body: { scan_id: crypto.randomUUID(), unknown_scan_id: over.scan_id } })}
              >
                {t('Remove')}
              </Button>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
