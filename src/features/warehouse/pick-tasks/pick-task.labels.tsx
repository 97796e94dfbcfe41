/** How pick tasks are spoken of, and the parts that their three lists share. */
import { products } from '#features/catalog/products/products.contract.ts'
import { BulkFailures } from '#ui/kit/BulkFailures.tsx'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import style from './PickTasks.module.css'
import type { CountReason, PutBackReason, ShortDecision, ShortReason, TaskResult } from './pick-tasks.schemas.ts'

export const reasonWord = (reason: ShortReason): string =>
  ({ not_there: t('Not there'), damaged: t('Damaged'), wrong_label: t('Wrong label'), expired: t('Expired'), other: t('Another reason') })[
    reason
  ]

export const countReasonWord = (reason: CountReason): string =>
  ({ short: t('Items were missing'), damaged: t('Damaged items'), zero_check: t('Should be empty'), asked: t('Asked for by hand') })[reason]

export const putBackReasonWord = (reason: PutBackReason): string =>
  ({
    order_cancelled: t('Order cancelled'),
    list_cancelled: t('Pick list cancelled'),
    order_removed: t('Order taken off'),
    order_changed: t('The shop changed the order'),
    short: t('Order waits'),
    return: t('Returned'),
  })[reason]

export const decisionWord = (decision: ShortDecision): string =>
  ({
    wait: t('Waiting'),
    ship_partial: t('Goes without'),
    ask_customer: t('Waiting for the customer'),
    cancel_line: t('Cancelled'),
    found: t('Found'),
  })[decision]

/** What a button does, and what follows from it. */
export const decisionDeed = (decision: ShortDecision): { title: string; effect: string } =>
  ({
    found: { title: t('They are there'), effect: t('The line is open again on its wagon and is picked.') },
    wait: {
      title: t('Let the order wait'),
      effect: t('It leaves its wagon, what was picked goes back, and it is picked later as a whole.'),
    },
    ship_partial: { title: t('Send it without them'), effect: t('The order may be packed as it is.') },
    ask_customer: {
      title: t('Wait for the customer'),
      effect: t(
        'The order is held until the customer answers or you decide again. With a mail or SMS account, the customer gets a link to answer.',
      ),
    },
    cancel_line: { title: t('Cancel missing items'), effect: t('They are taken out of the order for good.') },
  })[decision]

const tones: Record<ShortDecision, Tone> = { wait: 'soon', ship_partial: 'done', ask_customer: 'soon', cancel_line: 'quiet', found: 'done' }

export function DecisionBadge({ decision }: { decision: ShortDecision | null }) {
  const say = useT()
  return decision === null ? (
    <StateBadge tone="stop">{say('Undecided')}</StateBadge>
  ) : (
    <StateBadge tone={tones[decision]}>{decisionWord(decision)}</StateBadge>
  )
}

interface Product {
  product_id: number | null
  sku: string | null
  name: string
  has_picture: boolean
  picture_version: number | null
}

export function ProductLine({ of, size = 40 }: { of: Product; size?: number }) {
  return (
    <div className={style.product}>
      <ImageView
        from={of.has_picture && of.product_id !== null ? { call: products.picture, input: { id: of.product_id } } : null}
        sku={of.sku ?? '–'}
        name={of.name}
        version={of.picture_version}
        size={size}
      />
      <div className={style.names}>
        <span>{of.name || '–'}</span>
        {of.sku ? <span className={style.dim}>{of.sku}</span> : null}
      </div>
    </div>
  )
}

/** What was refused of many, one by one. */
export function RefusedTasks({
  results,
  nameOf,
  close,
}: {
  results: readonly TaskResult[]
  nameOf: (id: number) => string
  close: () => void
}) {
  const say = useT()
  return (
    <BulkFailures
      title={say('{{count}} tasks were left as they are', { count: results.length })}
      refused={results}
      keyOf={result => result.id}
      close={close}
    >
      {result => (
        <>
          <b>{nameOf(result.id)}</b>: {result.key ? say(result.key, result.values) : ''}
        </>
      )}
    </BulkFailures>
  )
}
