/** By when someone sees to an exception, and when its lateness is said again. */
import type { ErrorCode } from '#contract/error-codes.ts'
import type { CompanySettings, ExceptionSettings } from '#features/company/companies/companies.schemas.ts'
import type { Reason } from '#features/orders/orders/orders.rules.ts'
import type { ExceptionKind, LabelKind } from '../packing/packing.codes.ts'
import { type DecidedResolution, fitsKind, isRetry } from './exceptions.codes.ts'

type Clock = Pick<CompanySettings, 'time_zone' | 'working_days'> & { exceptions: Pick<ExceptionSettings, 'from' | 'to'> }

const minute = 60_000
/** An order goes to its courier this long before it has to leave. */
const beforeShipping = 60 * minute
/** The least time that an owner gets. */
const least = 10 * minute

/**
 * The instant so many minutes later, of which only those inside the hours of the stations count. A company without working days, or whose
 * hours are empty, counts every minute.
 */
export function addStationMinutes(now: Date, minutes: number, { time_zone, working_days, exceptions: { from, to } }: Clock): Date {
  let left = minutes * minute
  if (working_days.length === 0 || from >= to) return new Date(now.getTime() + left)
  let cursor = now.getTime()
  let day = Temporal.Instant.fromEpochMilliseconds(cursor).toZonedDateTimeISO(time_zone).toPlainDate()
  const at = (clock: string) =>
    clock === '24:00'
      ? day.add({ days: 1 }).toZonedDateTime(time_zone).epochMilliseconds
      : day.toZonedDateTime({ timeZone: time_zone, plainTime: Temporal.PlainTime.from(clock) }).epochMilliseconds
  for (;;) {
    if (working_days.includes(day.dayOfWeek)) {
      const begin = Math.max(cursor, at(from))
      const end = at(to)
      if (begin < end) {
        if (left <= end - begin) return new Date(begin + left)
        left -= end - begin
        cursor = end
      }
    }
    day = day.add({ days: 1 })
  }
}

/** Not so late that the order misses its courier, and never sooner than someone can see to it. */
export function dueAt(
  kind: ExceptionKind,
  {
    now,
    ship_by,
    settings,
  }: { now: Date; ship_by: string | null; settings: Pick<CompanySettings, 'time_zone' | 'working_days' | 'exceptions'> },
): Date {
  const usual = addStationMinutes(now, settings.exceptions[kind], settings).getTime()
  const latest = ship_by === null ? usual : Math.min(usual, Date.parse(ship_by) - beforeShipping)
  return new Date(Math.max(latest, now.getTime() + least))
}

/** What a refused label lacks, by the code of the refusal and the field that it names. */
export function kindOfRefusal({ error_code, error_field }: { error_code: string | null; error_field: string | null }): LabelKind {
  const ofCustoms =
    /customs|^hs_code|^line_(value|weight|description)_missing$|^number_not_carried$/.test(error_code ?? '') ||
    /^customs\b|\blines\.\d+\.(hs_code|origin|value|net_weight_g|description)$/.test(error_field ?? '')
  return ofCustoms ? 'customs' : 'label_error'
}

/** Minutes after the due time at which lateness is said: at once, then each time that it doubles. */
export const remindAfter = [0, 30, 60, 120] as const

interface Decidable {
  kind: ExceptionKind
  order_no: string
  /** Pieces that the exception is about, and that are not packed. */
  missing: number
  /** Pieces of the order that may go without them. */
  others: number
  /** A packer has it open. */
  in_hand: boolean
  /** `waits`: refused, with its parcel where it was closed · `booking`: the courier is asked. */
  label: 'waits' | 'booking' | null
  /** A hold, or that the order is cancelled. */
  stop: Reason | null
  may_cancel_lines: boolean
  /** Why the order cannot be cancelled. */
  cancel: Reason | null
}

const reason = (code: ErrorCode, text: string, values: Reason['values'] = {}): Reason => ({ code, text, values })

/** Why this cannot be decided; null where it can. */
export function whyNotDecided(resolution: DecidedResolution, of: Decidable): Reason | null {
  if (resolution === 'order_cancelled') return of.cancel
  if (isRetry(resolution)) return whyNoRetry(of)
  if (!fitsKind(resolution, of.kind)) return reason('exception_without_items', 'This exception is not about items')
  if (of.in_hand)
    return reason('order_in_packing', 'Order {{order}} is being packed at this moment: finish or stop that first', { order: of.order_no })
  if (of.missing === 0) return reason('nothing_missing', 'Everything that this is about is packed')
  if (resolution === 'ship_partial' && of.others === 0) return reason('nothing_to_send', 'Nothing else of the order is left to send')
  if (resolution === 'cancel_lines' && !of.may_cancel_lines)
    return reason('cancel_lines_forbidden', 'You do not have permission to cancel lines. Ask a lead.')
  return null
}

function whyNoRetry({ kind, label, stop }: Decidable): Reason | null {
  if (!fitsKind('retry_label', kind)) return reason('exception_without_label', 'This exception is not about a label')
  if (label === 'booking') return reason('label_booking', 'A label is being booked at this moment: wait until it is there')
  if (stop) return stop
  if (label === null) return reason('label_not_waiting', 'The label is made when a packer scans the order again')
  return null
}
