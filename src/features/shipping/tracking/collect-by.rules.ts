/** How long a parcel still waits in its parcel shop. */

/** Days from today (both YYYY-MM-DD) to the last one; 0 on the last day, null once it is over. */
export function daysLeft(collect_by: string, today: string): number | null {
  const days = Math.round((Date.parse(collect_by) - Date.parse(today)) / 86_400_000)
  return days >= 0 ? days : null
}
