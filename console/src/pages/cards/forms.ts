import { getRouteApi, useNavigate } from '@tanstack/react-router';

export const FORMS = ['correct', 'share', 'promote', 'stop'] as const;
export type Form = (typeof FORMS)[number];

const route = getRouteApi('/cards/$id');

/** Which form of a card is open stands in the address, so that another page can lead to it. */
export function useForms() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/cards/$id' });
  return {
    opened: search.do,
    show: (form: Form) => void navigate({ search: (now) => ({ ...now, do: form }) }),
    close: () => void navigate({ replace: true, search: ({ do: _closed, ...rest }) => rest }),
  };
}
