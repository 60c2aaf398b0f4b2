import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/console.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/http';
import { router } from './app/router';
import { SignedIn } from './app/signed-in';
import { theme, variables } from './app/theme';

/** What the server refused is refused again; only what it could not answer is asked once more. */
function again(failures: number, error: Error): boolean {
  const final = error instanceof Problem && error.status >= 400 && error.status < 500;
  return !final && failures < 2;
}

const client = new QueryClient({
  defaultOptions: { queries: { retry: again, staleTime: 5_000, refetchOnWindowFocus: true } },
});
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
// Under this name the library that keeps the page from scrolling behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <Notifications position="bottom-right" />
        <SignedIn>
          <ModalsProvider>
            <RouterProvider router={router} />
          </ModalsProvider>
        </SignedIn>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
