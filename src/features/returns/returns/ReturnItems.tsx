/** The pieces of a return: where each is, in which condition, and what becomes of it. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { access } from '#contract/access.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { list, money, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { PieceImage } from './PieceImage.tsx'
import style from './Returns.module.css'
import { CustodyBadge, conditionWord, MoneyBadge, outcomeWord, reasonWord, SerialNote } from './return.labels.tsx'
import type { ReturnDialog } from './return-dialog.client.ts'
import { returnChange } from './return-refreshes.client.ts'
import { returns } from './returns.contract.ts'
import type { Return, ReturnItem } from './returns.schemas.ts'

interface ReturnItemsProps {
  of: Return
  /** Null for people who only read. */
  ask: ((dialog: ReturnDialog) => void) | null
}

export function ReturnItems({ of, ask }: ReturnItemsProps) {
  const t = useT()
  const { user } = useSignedIn()
  const reasons = useCall(returns.reasons, { company_id: of.company_id }, { fresh: 600_000 })
  const wordOf = (code: string | null): string => {
    const reason = reasons.data?.find(one => one.code === code)
    return reason ? reasonWord(reason, user.locale ?? 'en_GB') : (code ?? '')
  }
  return (
    <Panel title={t('Items')} count={number(of.items.length)} flush place={1}>
      {of.items.length === 0 ? (
        <div className={style.row}>
          <span className={style.dim}>{t('Nothing was unpacked yet')}</span>
        </div>
      ) : null}
      {of.items.map(item => (
        <Piece key={item.id} of={of} item={item} ask={ask} wordOf={wordOf} />
      ))}
    </Panel>
  )
}

function Piece({ of, item, ask, wordOf }: ReturnItemsProps & { item: ReturnItem; wordOf: (code: string | null) => string }) {
  const t = useT()
  const missing = useSend(returns.missing, { ...returnChange })
  const undo = useSend(returns.undo, { ...returnChange })
  const { id, version } = of
  const works = ask !== null && of.supported_actions.includes('inspect')
  const isExpected = item.custody === 'advised' || item.custody === 'in_transit'
  const toInspect = isExpected || item.custody === 'received' || item.custody === 'added'
  const mayUndo = item.custody === 'inspected' || item.custody === 'missing' || item.custody === 'added' || item.custody === 'received'
  const said = [wordOf(item.reason_code), outcomeWord(item.outcome), item.amount > 0 ? money(item.amount, of.currency) : '']
  return (
    <section className={style.row} aria-label={item.name}>
      <PieceImage item={item} size={48} />
      <div className={style.what}>
        <span className={style.name}>
          {item.name} <span className={style.dim}>{item.sku}</span>
        </span>
        <span className={style.dim}>{said.filter(Boolean).join(' · ')}</span>
        {item.reason_note ? (
          <span className={style.name}>
            <q>{item.reason_note}</q>
          </span>
        ) : null}
        {item.question ? (
          <span className={style.name}>
            {item.question} <q>{item.answer ?? '–'}</q>
          </span>
        ) : null}
        {item.destination && item.put_back_id === null ? (
          <span className={style.dim}>{t('Goes to {{place}}', { place: item.destination })}</span>
        ) : null}
        <span className={style.badges}>
          <CustodyBadge custody={item.custody} />
          {of.status === 'requested' && item.money === 'none' ? null : <MoneyBadge money={item.money} />}
          <SerialNote item={item} />
        </span>
        {item.condition ? (
          <span className={style.dim}>
            {[
              conditionWord(item.condition),
              item.reason_seen && item.reason_seen !== item.reason_code ? wordOf(item.reason_seen) : '',
              item.inspect_note,
              item.inspected_by,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        ) : null}
        {item.accessories.some(({ here }) => here === false) ? (
          <span>
            {t('Without {{parts}}', { parts: list(item.accessories.filter(({ here }) => here === false).map(({ name }) => name)) })}
          </span>
        ) : null}
        {item.put_back_id === null ? null : (
          <span className={style.dim}>
            {item.put_back_done ? (
              t('Back in {{bin}}', { bin: item.bin ?? '–' })
            ) : (
              <PutBack order_no={of.order_no ?? ''}>
                {item.bin === null ? t('Put back: no bin is known') : t('Put back into {{bin}}', { bin: item.bin })}
              </PutBack>
            )}
          </span>
        )}
        {item.exchange_order_id === null ? (
          item.outcome === 'exchange' && (item.exchange_product || item.exchange_other) ? (
            <span className={style.dim}>
              {item.exchange_product
                ? t('Replacement: {{product}}', { product: item.exchange_product })
                : t('The customer wants another product. Choose it.')}
            </span>
          ) : null
        ) : (
          <Link to="/parcels/orders" search={{ id: item.exchange_order_id }}>
            {t('Exchange order {{order_no}}', { order_no: item.exchange_order_no ?? '' })}
          </Link>
        )}
        {item.exchange_order_id === null && item.outcome === 'exchange' && item.custody === 'restocked' && of.order_id !== null ? (
          <Link to="/parcels/orders" search={{ id: of.order_id }}>
            {t('Make the replacement on the order')}
          </Link>
        ) : null}
      </div>
      {works ? (
        <div className={style.acts}>
          {toInspect ? (
            <Button size="compact-md" variant="default" onClick={() => ask({ kind: 'inspect', item })}>
              {t('Inspect')}
            </Button>
          ) : null}
          {item.custody === 'inspected' && of.supported_actions.includes('decide') ? (
            <Button size="compact-md" variant="default" onClick={() => ask({ kind: 'decide', items: [item] })}>
              {t('Decide')}
            </Button>
          ) : null}
          {item.outcome === 'exchange' && item.exchange_order_id === null ? (
            <Button size="compact-md" variant="subtle" onClick={() => ask({ kind: 'exchange', item })}>
              {t('Replacement')}
            </Button>
          ) : null}
          {isExpected && of.arrived_at !== null ? (
            <Button
              size="compact-md"
              variant="default"
              loading={missing.isPending}
              onClick={() => missing.mutate({ id, item_id: item.id, body: { version } })}
            >
              {t('Not in the parcel')}
            </Button>
          ) : null}
          {item.money === 'pending' && item.custody === 'missing' ? (
            <Button size="compact-md" variant="default" onClick={() => ask({ kind: 'waive', item })}>
              {t('Deny refund')}
            </Button>
          ) : null}
          {mayUndo ? (
            <Button
              size="compact-md"
              variant="subtle"
              loading={undo.isPending}
              onClick={() => undo.mutate({ id, item_id: item.id, body: { version } })}
            >
              {t('Undo')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}

/** Leads to the task, for people who may open it. */
function PutBack({ order_no, children }: { order_no: string; children: ReactNode }) {
  const picks = useIsAllowed(access.picks)
  if (!picks) return children
  return (
    <Link to="/lists/pick/tasks" search={{ tab: 'put_backs', query: order_no }}>
      {children}
    </Link>
  )
}
