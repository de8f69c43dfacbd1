/** One key from the terminal, without Enter; null when the terminal goes away. */
export function oneKey(): Promise<string | null> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const end = (key: string | null): void => {
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(key);
    };
    const onData = (data: Buffer): void => end(data.toString('utf8'));
    const onEnd = (): void => end(null);
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.on('end', onEnd);
    stdin.resume();
  });
}
