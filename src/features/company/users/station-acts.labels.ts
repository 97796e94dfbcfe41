/** Words for what groups allow at packing stations. */
import type { StationAct } from '#contract/station-acts.ts'

export const stationActWords: Readonly<Record<StationAct, { title: string; help: string }>> = {
  bypass: { title: 'Pack without scanning', help: 'Approves it with badge or PIN.' },
  take_over: { title: 'Take over orders', help: 'Goes on with an order that someone else has open.' },
  cancel_rest: { title: 'Cancel missing items', help: 'Closes an order without the rest.' },
  approve: { title: 'Approve', help: 'Answers what approval rules ask of leads of packing.' },
  weight: { title: 'Take other weights', help: 'Takes a weight that differs from what was expected.' },
  reprint: { title: 'Print again', help: 'Prints labels a second time.' },
  unpack: { title: 'Unpack parcels', help: 'Cancels the label of a packed parcel and takes it apart.' },
}
