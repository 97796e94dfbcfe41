/** Where a list of the packing video settings stands in the address. */
export interface VideoListPlace {
  query: string
  page: number
  set: (place: { query?: string; page?: number }, options?: { replace: boolean }) => void
}
