/** Words for the codes of order alerts. */
import type { AlertHitState, AlertMatch, AlertMode, AlertSignal, alertHoldReasons, Threshold, ThresholdMode } from './order-alerts.codes.ts'

export const thresholdLabels: Record<Threshold, string> = {
  row_count: 'Quantity of a line',
  row_value: 'Value of a line',
  order_count: 'Items of the order',
  order_value: 'Value of the order',
}

const signals: Record<AlertSignal, string> = { ...thresholdLabels, conditions: 'Conditions' }
/** By codes as they are stored. */
export const signalLabels: Readonly<Record<string, string>> = signals

export const modeLabels: Record<AlertMode, string> = {
  note: 'Warning at the order',
  hold: 'Hold the order',
  pin: 'Ask for a PIN at the station',
}

export const thresholdModeLabels: Record<ThresholdMode, string> = {
  inside: 'Between lowest and highest',
  outside: 'Below lowest or above highest',
}

export const matchLabels: Record<AlertMatch, string> = {
  any: 'One of them is enough',
  all: 'All of them together',
}

export const hitStateLabels: Record<AlertHitState, string> = {
  open: 'Not checked',
  released: 'Released',
  kept: 'Checked',
}

export const holdReasonLabels: Record<(typeof alertHoldReasons)[number], string> = {
  alert: 'Order alert',
  address: 'Address',
  customer: 'Customer',
  payment: 'Payment',
  fraud: 'Fraud',
  stock: 'Stock',
  other: 'Other reason',
}
