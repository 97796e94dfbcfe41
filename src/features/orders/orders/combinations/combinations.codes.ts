/** So many orders fit into one parcel, the lead among them. */
export const mostCombined = 10
