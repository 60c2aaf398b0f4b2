import { Center, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { onSignedOut, Problem } from '../api/http';
import { readSession, type Session, signOut } from '../api/session';
import { Failed } from '../components/failed';
import { SessionProvider } from './session-context';
import { SignIn } from './sign-in';

const Leave = createContext<() => void>(() => {});

/** Ends the session and shows the door. */
export function useSignOut(): () => void {
  return useContext(Leave);
}

const KEY = ['session'] as const;

/** The server wrote into the page whether the browser brought a session: without one it need not be asked. */
let known = document.querySelector<HTMLMetaElement>('meta[name=cairn-session]')?.content;

async function askSession(): Promise<Session> {
  const nobody = known === 'none';
  known = undefined;
  if (nobody) throw new Problem(401, 'unauthenticated', 'Nobody is signed in.');
  return await readSession();
}

/** The console behind its door: whoever has no session is asked for a key, and goes on where they were. */
export function SignedIn({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const session = useQuery({
    queryKey: KEY,
    queryFn: askSession,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    onSignedOut(() => {
      void client.resetQueries({ queryKey: KEY });
    });
  }, [client]);
  const leave = () => {
    void signOut()
      .catch(() => undefined)
      .then(() => {
        // Of the next one nothing is known; the session itself is watched, and has to be asked for anew.
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
        return client.resetQueries({ queryKey: KEY });
      });
  };

  if (session.isPending) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session.data === undefined) {
    const { error } = session;
    const needsKey = error instanceof Problem && error.status === 401;
    if (!needsKey) {
      return (
        <Center h="100vh" p="md">
          <Failed error={error} again={() => void session.refetch()} />
        </Center>
      );
    }
    return <SignIn done={(signedIn) => client.setQueryData(KEY, signedIn)} />;
  }
  return (
    <Leave.Provider value={leave}>
      <SessionProvider value={session.data}>{children}</SessionProvider>
    </Leave.Provider>
  );
}
