/** What a group may allow its members at packing stations, one by one, as a lead may. */
export const stationActs = ['bypass', 'take_over', 'cancel_rest', 'approve', 'weight', 'reprint', 'unpack'] as const
export type StationAct = (typeof stationActs)[number]

/** An act by a group: at these stations, in small letters, or at all of them. */
export interface GivenAct {
  act: StationAct
  stations: readonly string[] | null
}

/** Whether one of the acts is allowed at this station. */
export const holdsAct = (given: readonly GivenAct[], act: StationAct, station: string): boolean =>
  given.some(one => one.act === act && (one.stations === null || one.stations.includes(station.toLowerCase())))

/** Whether an act is allowed at each of these stations; null means all. */
export const holdsActAt = (given: readonly GivenAct[], act: StationAct, stations: readonly string[] | null): boolean =>
  stations === null ? given.some(one => one.act === act && one.stations === null) : stations.every(station => holdsAct(given, act, station))
