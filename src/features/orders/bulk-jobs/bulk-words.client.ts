/** Words for the actions of bulk jobs. */
import { number } from '#ui/kit/format.ts'
import { t } from '#ui/kit/translate.ts'
import type { BulkAction, BulkRowState } from './bulk-jobs.codes.ts'

interface Words {
  title: string
  effect: string
  /** The button that changes so many. */
  run: (count: number) => string
}

export const bulkWords = (): Record<BulkAction, Words> => ({
  release: {
    title: t('Release orders'),
    effect: t('New orders may then be picked and packed. Orders that are held, or further on already, are left alone.'),
    run: count => t('Release {{count}} orders', { count }),
  },
  reopen: {
    title: t('Reopen orders'),
    effect: t('Packed parcels are unpacked: their labels are taken back, and everything is scanned again. Other orders are left alone.'),
    run: count => t('Reopen {{count}} orders', { count }),
  },
  close: {
    title: t('Close orders'),
    effect: t('Orders whose parcels have all arrived or come back are closed. Other orders are left alone.'),
    run: count => t('Close {{count}} orders', { count }),
  },
  cancel: {
    title: t('Cancel orders'),
    effect: t('Orders that are not packed yet are cancelled. Picked items have to go back to their bins. This cannot be undone.'),
    run: count => t('Cancel {{count}} orders', { count }),
  },
  hold: {
    title: t('Put orders on hold'),
    effect: t('No one can pack or send them until the hold is released. Packing in progress stops immediately.'),
    run: count => t('Hold {{count}} orders', { count }),
  },
  lock: {
    title: t('Lock orders'),
    effect: t('No one can pack or send them until they are unlocked. Packing in progress stops immediately.'),
    run: count => t('Lock {{count}} orders', { count }),
  },
  pin: {
    title: t('Pin orders'),
    effect: t('They stand at the top of every list until they are unpinned.'),
    run: count => t('Pin {{count}} orders', { count }),
  },
  unpin: {
    title: t('Unpin orders'),
    effect: t('They go back to their places in the lists.'),
    run: count => t('Unpin {{count}} orders', { count }),
  },
  method: {
    title: t('Set shipping method'),
    effect: t('Orders that are packed or have a label are left alone.'),
    run: count => t('Change {{count}} orders', { count }),
  },
  tag: {
    title: t('Change tags'),
    effect: t('Orders of another company get a tag of that company with the same name.'),
    run: count => t('Tag {{count}} orders', { count }),
  },
  combine: {
    title: t('Combine orders by recipient'),
    effect: t(
      'Orders to one recipient by the same shipping method go in one parcel each. Orders that no other one goes with are left alone.',
    ),
    run: count => t('Combine {{orders}} orders', { orders: number(count) }),
  },
})

export const bulkRowWord = (state: BulkRowState): string =>
  ({ waiting: t('Waiting'), done: t('Changed'), refused: t('Left alone'), undone: t('Undone') })[state]
